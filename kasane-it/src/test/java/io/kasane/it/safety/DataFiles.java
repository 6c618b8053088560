/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The SSTables of one table below a data directory, by their Data.db files. */
final class DataFiles {
  private static final String DATA = "Data.db";

  private final Path keyspace;
  private final String table;

  DataFiles(Path root, String table) {
    this.keyspace = root.resolve(CheckedTable.KEYSPACE);
    this.table = table;
  }

  Set<Path> all() {
    return files().stream()
        .filter(file -> file.getFileName().toString().endsWith("-" + DATA))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<Path> files() {
    return FilesBelow.of(keyspace).stream()
        .filter(file -> keyspace.relativize(file).getNameCount() == 2)
        .filter(file -> keyspace.relativize(file).toString().startsWith(table + "-"))
        .toList();
  }

  /** Of a node that does not run: those that no unfinished flush or compaction names. */
  List<Path> settled() throws IOException {
    StringBuilder unfinished = new StringBuilder();
    for (Path file : files()) {
      if (file.getFileName().toString().contains("_txn_")) {
        unfinished.append(Files.readString(file));
      }
    }
    return all().stream().filter(file -> unfinished.indexOf(prefixOf(file)) < 0).toList();
  }

  /** Deletes an SSTable with all its components, as one that is corrupt. */
  static void delete(Path dataFile) throws IOException {
    try (Stream<Path> components = Files.list(dataFile.getParent())) {
      components
          .filter(file -> file.getFileName().toString().startsWith(prefixOf(dataFile)))
          .forEach(DataFiles::remove);
    }
  }

  private static void remove(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String prefixOf(Path dataFile) {
    String name = dataFile.getFileName().toString();
    return name.substring(0, name.length() - DATA.length());
  }
}
