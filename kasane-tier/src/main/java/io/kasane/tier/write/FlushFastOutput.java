/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.WriterMetadata;
import io.kasane.tier.quota.FastDiskException;
import io.kasane.tier.sstables.SlowTarget;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.service.ActiveRepairService;

/**
 * What a flush writes to fast. If that disk fails, its rows are taken from the memtable once more
 * and written to slow. Used by one thread.
 */
final class FlushFastOutput {
  private final PlacementContext table;
  private final ColumnFamilyStore cfs;
  private final Memtable memtable;
  private final PlacementRun placement;
  private final FlushSlowOutput slow;
  private final long keyCount;
  private final int flushWriters;
  private final boolean takesCold;
  private final FastWriter fast;
  private DecoratedKey first; // null: there is none
  private DecoratedKey last;
  private long coldRoomBytes;
  private long coldBytes;
  private boolean failed;

  /**
   * Nothing is written yet.
   *
   * @param flushWriters how many share the room for rows that are not hot
   */
  FlushFastOutput(
      PlacementContext table,
      Memtable memtable,
      SerializationHeader header,
      PlacementRun placement,
      FlushSlowOutput slow,
      long keyCount,
      int flushWriters) {
    this.table = table;
    this.cfs = table.cfs();
    this.memtable = memtable;
    this.placement = placement;
    this.slow = slow;
    this.keyCount = keyCount;
    this.flushWriters = flushWriters;
    this.fast = new FastWriter(table, placement, false, claims(header));
    this.coldRoomBytes = placement.coldRoomBytes() / flushWriters;
    this.takesCold = coldRoomBytes > 0;
  }

  private WriterMetadata claims(SerializationHeader header) {
    return new WriterMetadata(
        true,
        ActiveRepairService.UNREPAIRED_SSTABLE,
        ActiveRepairService.NO_PENDING_REPAIR,
        false,
        System.currentTimeMillis(),
        header,
        () -> new MetadataCollector(cfs.metadata().comparator));
  }

  boolean hasFailed() {
    return failed;
  }

  boolean admits(DecoratedKey key, long boundBytes) {
    return fast.admits(key, boundBytes);
  }

  /**
   * Writes a row that was admitted.
   *
   * @return what the SSTables have grown by; 0 if there was nothing to write
   * @throws FastDiskException if the disk failed: {@link #takeBack} is to be called
   */
  long append(UnfilteredRowIterator partition) {
    long before = fast.writtenBytes();
    if (!fast.append(partition, this::keysOfShard)) {
      return 0;
    }
    note(partition.partitionKey());
    return fast.writtenBytes() - before;
  }

  private void note(DecoratedKey key) {
    first = first == null ? key : first;
    last = key;
  }

  private long keysOfShard() {
    long rows = takesCold ? keyCount : placement.expectedHotKeys(keyCount);
    return Math.min(rows, flushWriters * rows / table.room().shards().count()) + 1;
  }

  /** How much more rows that are not hot may take. */
  long coldRoomBytes() {
    return coldRoomBytes;
  }

  void filledWithCold(long bytes) {
    coldBytes += bytes;
    coldRoomBytes -= bytes;
  }

  void endColdRoom() {
    coldRoomBytes = 0;
  }

  /** What was asked for besides what rows that are not hot took. */
  long hotBytes() {
    return Math.max(0, fast.askedBytes() - coldBytes);
  }

  /** The same, and the row that was being written, of which the flush has read a part. */
  void takeBackWith(DecoratedKey key) {
    note(key);
    takeBack();
  }

  /**
   * The rows that were to lie on fast come after others in time, so they need an SSTable apart. To
   * remember which they are would cost heap with each flush: all between the first and the last of
   * them are written, some for the second time.
   */
  void takeBack() {
    failed = true;
    fast.close();
    if (first == null) {
      return;
    }
    SSTableWriter apart = slow.beginApart(keyCount, placement.withoutRoom());
    try (UnfilteredPartitionIterator found = inMemory()) {
      while (found.hasNext()) {
        try (UnfilteredRowIterator partition = found.next()) {
          if (!partition.isEmpty()) {
            slow.write(apart, partition);
          }
        }
      }
    }
    first = null;
  }

  /** What was written is live from here on, or on slow. */
  void finish() {
    try {
      fast.finish();
    } catch (FastDiskException e) {
      takeBack();
    }
    fast.close();
    claimCommitLog();
  }

  /**
   * Only an SSTable of the flush's own transaction says that the commit log need not be replayed. A
   * flush without one, again and again, would after a crash bring back a row of which the deletion
   * has left the log and both have been purged. So one row goes to slow, too. It is not the first
   * one where the column that this one wrote was dropped meanwhile.
   */
  private void claimCommitLog() {
    if (first == null || !slow.isEmpty()) {
      return;
    }
    SSTableWriter claim = // an SSTable of its own: the filter of the other is for all keys
        slow.beginApart(1, SlowTarget.SLOW_COLD);
    try (UnfilteredPartitionIterator found = inMemory()) {
      while (found.hasNext() && claim.getFilePointer() == 0) {
        try (UnfilteredRowIterator partition = found.next();
            UnfilteredRowIterator row = OneRow.of(partition)) {
          slow.write(claim, row);
        }
      }
    }
  }

  /** From the first to the last that went to fast. */
  private UnfilteredPartitionIterator inMemory() {
    DataRange range =
        new DataRange(new Bounds<>(first, last), new ClusteringIndexSliceFilter(Slices.ALL, false));
    return memtable.partitionIterator(
        ColumnFilter.all(cfs.metadata()), range, SSTableReadsListener.NOOP_LISTENER);
  }

  long writtenBytes() {
    return fast.writtenBytes();
  }

  void close() {
    fast.close();
  }
}
