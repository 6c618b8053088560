/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.health.Watched;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.notifications.TruncationNotification;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties engines when tables are truncated. Cassandra tells of a truncate when it has flushed and
 * stopped all compactions of the table, and before it takes the snapshot: so the copy for that is
 * made then. Without that copy a truncate fails, and takes no row. An engine that does not answer
 * is passed over: the table is another one in it from then on. Thread-safe.
 */
public final class Truncations {
  private static final Logger logger = LoggerFactory.getLogger(Truncations.class);

  private final NodeEngines engines;
  private final SnapshotCopies copies;
  private final Duration patience;
  private final Duration longestWait;
  private final Set<ColumnFamilyStore> followed = ConcurrentHashMap.newKeySet();

  /**
   * Truncates.
   *
   * @param patience how long a copy may stand still
   * @param longestWait for what still writes to a table, or copies it, and for the engine
   */
  public Truncations(
      NodeEngines engines, SnapshotCopies copies, Duration patience, Duration longestWait) {
    this.engines = engines;
    this.copies = copies;
    this.patience = patience;
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
    List<StoredTable> all =
        engines.of(table.metadata.id).stream().filter(StoredTable::mayHaveRows).toList();
    if (table.isAutoSnapshotEnabled()) {
      copy(table, all.stream().filter(stored -> !stored.isOfIndex()).toList());
    }
    withoutCopies(all, 0, () -> all.forEach(stored -> truncate(table, stored)));
  }

  /** Of all before the first is emptied: an index must not be without its table's rows. */
  private void withoutCopies(List<StoredTable> all, int held, Runnable run) {
    if (held < all.size()) {
      all.get(held).withoutCopies(longestWait, () -> withoutCopies(all, held + 1, run));
    } else {
      run.run();
    }
  }

  private void truncate(ColumnFamilyStore table, StoredTable stored) {
    if (!engines.isCurrent(stored)) {
      return; // with another one
    }
    try {
      stored.engine().requireWrites();
      Watched.run(
          stored.engine().threads(),
          "emptying it",
          longestWait,
          watched -> stored.alone(longestWait, stored::clearUncopied));
      logger.info("Truncated {} in {}", stored.name(), stored.engine().name());
    } catch (EngineException e) {
      makeAnother(table, stored, e);
    }
  }

  private void copy(ColumnFamilyStore table, List<StoredTable> stored) {
    try {
      copies.make(table, stored, patience);
    } catch (EngineException e) {
      throw new EngineException(
          e.kind(),
          table.metadata()
              + " is not truncated, since its snapshot cannot have what storage engines have of it: "
              + e.getMessage()
              + ". Try again later, or without a snapshot: ALTER TABLE "
              + table.metadata()
              + " WITH allow_auto_snapshot = false",
          e);
    }
  }

  /** As if the table and its indexes had been dropped and made again, as empty ones. */
  private void makeAnother(ColumnFamilyStore table, StoredTable stored, EngineException why) {
    Future<?> switched;
    synchronized (table.getTracker()) { // no memtable is made between
      engines.renew(stored.id());
      Memtable current = table.getTracker().getView().getCurrentMemtable();
      switched =
          table.switchMemtableIfCurrent(current, ColumnFamilyStore.FlushReason.INTERNALLY_FORCED);
    }
    FBUtilities.waitOnFuture(switched);
    logger.warn(
        "Truncated {}; its rows leave {} later: {}",
        table.metadata(),
        stored.engine().name(),
        why.getMessage());
  }
}
