/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import com.google.common.collect.Iterators;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.SnapshotCopies;
import java.util.List;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves into the engine what streams, repairs, imports, an ALTER or an outage left in SSTables: one
 * after the other, each gone when the engine has synced.
 */
final class MoveIn {
  private static final Logger logger = LoggerFactory.getLogger(MoveIn.class);

  private final SnapshotCopies copies;

  MoveIn(SnapshotCopies copies) {
    this.copies = copies;
  }

  /** Returns the SSTables that wait. */
  static List<SSTableReader> waiting(ColumnFamilyStore table, SnapshotCopies copies) {
    return com.google.common.collect.Streams.stream(
            table.getTracker().getView().select(SSTableSet.NONCOMPACTING))
        .filter(sstable -> !copies.isCopy(sstable) || copies.isDone(sstable))
        .toList();
  }

  /** Moves all in, unless Cassandra asks to stop; the rest waits for the next time. */
  void run(ColumnFamilyStore table, StoredTable stored) {
    for (SSTableReader sstable : waiting(table, copies)) {
      if (!move(table, stored, sstable)) {
        return;
      }
    }
  }

  /** Takes copies out of the table that have done what they are for. */
  void dropCopies(ColumnFamilyStore table, StoredTable stored) {
    for (SSTableReader sstable : waiting(table, copies)) {
      if (copies.isCopy(sstable) && !move(table, stored, sstable)) {
        return;
      }
    }
  }

  private boolean move(ColumnFamilyStore table, StoredTable stored, SSTableReader sstable) {
    try (RunningMove running = RunningMove.begin(table, sstable)) {
      if (running.isStopRequested()) {
        return false;
      }
      try (LifecycleTransaction transaction =
          table.getTracker().tryModify(sstable, OperationType.COMPACTION)) {
        if (transaction == null) {
          return true; // a compaction was faster
        }
        if (!copies.isCopy(sstable) && !merged(table, stored, sstable, running)) {
          return false;
        }
        transaction.obsoleteOriginals();
        transaction.prepareToCommit();
        transaction.commit();
        return true;
      }
    }
  }

  private static boolean merged(
      ColumnFamilyStore table, StoredTable stored, SSTableReader sstable, RunningMove running) {
    try (ISSTableScanner scanner = sstable.getScanner()) {
      if (!stored.move(
          table.metadata(), Iterators.transform(scanner, rows -> rows), running::isStopRequested)) {
        return false;
      }
    }
    stored.sync();
    logger.info("Moved {} into {}", sstable, stored.engine().name());
    return true;
  }
}
