/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Compactions that an operator asks for; each is over when the call returns. */
final class Compactions {
  private Compactions() {}

  /** Of some SSTables together, named by their Data.db files; those that are gone are left out. */
  static void of(LocalNode node, Collection<Path> dataFiles) throws IOException {
    if (dataFiles.isEmpty()) {
      return;
    }
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=CompactionManager",
          "forceUserDefinedCompaction",
          List.of(String.class),
          dataFiles.stream().map(Path::toString).collect(Collectors.joining(",")));
    }
  }

  /** Of all SSTables of a table, after a flush. */
  static void all(LocalNode node, String table) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(CheckedTable.KEYSPACE, table);
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "forceKeyspaceCompaction",
          List.of(boolean.class, String.class, String[].class),
          false,
          CheckedTable.KEYSPACE,
          new String[] {table});
    }
  }
}
