/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.OptionalLong;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;

/** How large rows can be. */
public final class RowBounds {
  /** Larger rows are not held in memory to be copied. */
  public static final long MAX_HELD_BYTES = 1L << 20;

  /** Serialised data is at most about twice the cells' data (flags, timestamps, lengths). */
  private static final long SERIALISED_PER_DATA_BYTE = 2;

  /** Headers, clustering and markers of a row. */
  private static final long SERIALISED_PER_ROW_BYTES = 128;

  private RowBounds() {}

  /**
   * An upper bound of what all partitions of a memtable, or any of them, take on disk; absent if
   * something in it was deleted or expires, since deletions are not counted there.
   *
   * @param partitions how many there are
   * @param stats of the memtable
   */
  public static OptionalLong ofAll(Memtable memtable, long partitions, EncodingStats stats) {
    if (stats.minLocalDeletionTime != EncodingStats.NO_STATS.minLocalDeletionTime) {
      return OptionalLong.empty();
    }
    long rows = partitions + memtable.operationCount();
    return OptionalLong.of(
        SERIALISED_PER_DATA_BYTE * (SERIALISED_PER_ROW_BYTES * rows + memtable.getLiveDataSize()));
  }

  /** An upper bound of what a partition takes on disk. */
  public static long onDiskBytes(ImmutableBTreePartition partition) {
    long bytes = SERIALISED_PER_ROW_BYTES + partition.staticRow().dataSize();
    for (Row row : partition) {
      bytes += SERIALISED_PER_ROW_BYTES + row.dataSize();
    }
    return SERIALISED_PER_DATA_BYTE * (bytes + partition.deletionInfo().dataSize());
  }
}
