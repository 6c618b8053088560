/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.notifications.TruncationNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties engines when tables are truncated. Cassandra tells of a truncate when it has flushed and
 * stopped all compactions of the table, and before it takes the snapshot: so the copy for that is
 * made then. A truncate that an engine does not let happen fails, and takes no row. Thread-safe.
 */
public final class Truncations {
  private static final Logger logger = LoggerFactory.getLogger(Truncations.class);

  private final NodeEngines engines;
  private final SnapshotCopies copies;
  private final Duration longestWait;
  private final Set<ColumnFamilyStore> followed = ConcurrentHashMap.newKeySet();

  /**
   * Truncates.
   *
   * @param longestWait for what still writes to a table, or copies it
   */
  public Truncations(NodeEngines engines, SnapshotCopies copies, Duration longestWait) {
    this.engines = engines;
    this.copies = copies;
    this.longestWait = longestWait;
  }

  /**
   * Follows a table from now on. Not from the constructor of its first memtable, where it has no
   * tracker yet; a truncate switches the memtable first.
   */
  public void follow(ColumnFamilyStore table) {
    if (followed.add(table)) {
      table
          .getTracker()
          .subscribe(
              (notification, sender) -> {
                if (notification instanceof TruncationNotification) {
                  truncate(table);
                }
              });
    }
  }

  private void truncate(ColumnFamilyStore table) {
    List<StoredTable> all = engines.of(table.metadata.id);
    if (table.isAutoSnapshotEnabled()) {
      List<StoredTable> own = all.stream().filter(stored -> !stored.isOfIndex()).toList();
      copies.make(table, own);
    }
    for (StoredTable stored : all) {
      if (stored.mayHaveRows()) {
        stored.alone(longestWait, () -> stored.clear(longestWait));
        logger.info("Truncated {} in {}", stored.name(), stored.engine().name());
      }
    }
  }
}
