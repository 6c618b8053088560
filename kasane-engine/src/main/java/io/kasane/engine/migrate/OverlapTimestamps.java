/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.host.memtable.LayeredMemtable;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.RefViewFragment;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * The lowest timestamp that the SSTables and memtables of a table may hold. A tombstone in an
 * engine may be purged only if it is older. It is asked as Cassandra's compactions ask: a file, or
 * a memtable, has one least time stamp for all of its partitions. Thread-safe.
 */
final class OverlapTimestamps {
  private final ColumnFamilyStore table;
  private final OpOrder reads;

  /**
   * What {@code table} has.
   *
   * @param reads what the freeing of its memtables waits for: the base's, if it is an index
   */
  OverlapTimestamps(ColumnFamilyStore table, OpOrder reads) {
    this.table = table;
    this.reads = reads;
  }

  /** Nothing of the table has an older time stamp; a great one if there is nothing. */
  long leastTimestamp() {
    View view = table.getTracker().getView();
    long least = Long.MAX_VALUE;
    for (SSTableReader sstable : view.select(SSTableSet.CANONICAL)) {
      least = Math.min(least, sstable.getMinTimestamp());
    }
    for (Memtable memtable : view.getAllMemtables()) {
      least = Math.min(least, leastTimestamp(LayeredMemtable.inMemory(memtable)));
    }
    return least;
  }

  /** Nothing of a partition has an older time stamp; a great one if there is nothing. */
  long leastTimestamp(DecoratedKey key) {
    long least = Long.MAX_VALUE;
    try (OpOrder.Group unused = reads.start();
        RefViewFragment view =
            table.selectAndReference(View.select(SSTableSet.CANONICAL, s -> spans(s, key)))) {
      for (SSTableReader sstable : view.sstables) {
        if (sstable.mayContainAssumingKeyIsInRange(key)) {
          least = Math.min(least, sstable.getMinTimestamp());
        }
      }
      for (Memtable memtable : view.memtables) {
        Memtable memory = LayeredMemtable.inMemory(memtable);
        if (contains(memory, key)) {
          least = Math.min(least, leastTimestamp(memory));
        }
      }
    }
    return least;
  }

  /** Asks for what is no file's: the SSTable may be gone. */
  private static boolean spans(SSTableReader sstable, DecoratedKey key) {
    return sstable.getFirst().compareTo(key) <= 0 && sstable.getLast().compareTo(key) >= 0;
  }

  private static boolean contains(Memtable memory, DecoratedKey key) {
    try (UnfilteredRowIterator rows = memory.rowIterator(key)) {
      return rows != null;
    }
  }

  private static long leastTimestamp(Memtable memory) {
    if (memory.isClean()) {
      return Long.MAX_VALUE;
    }
    long least = memory.getMinTimestamp();
    return least == Memtable.NO_MIN_TIMESTAMP ? Long.MIN_VALUE : least;
  }
}
