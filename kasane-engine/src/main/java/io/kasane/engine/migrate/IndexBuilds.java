/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Cassandra's builds of a table's indexes, which read its rows, and fail if an engine does. */
final class IndexBuilds {
  private IndexBuilds() {}

  /** Whether one is at it. */
  static boolean areRunning(ColumnFamilyStore table) {
    return names(table).anyMatch(table.indexManager::isIndexBuilding);
  }

  /** Repeats those that failed, which Cassandra leaves to operators: from SSTables only. */
  static void repeatFailed(ColumnFamilyStore table) {
    Set<String> failed =
        names(table).filter(table.indexManager::needsFullRebuild).collect(Collectors.toSet());
    if (!failed.isEmpty()) {
      table.indexManager.rebuildIndexesBlocking(failed);
    }
  }

  private static Stream<String> names(ColumnFamilyStore table) {
    return table.metadata().indexes.stream().map(index -> index.name);
  }
}
