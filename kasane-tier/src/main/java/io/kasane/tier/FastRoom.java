/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.Arrays;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** The room on the fast disk that writers of a table leave to others. Thread-safe. */
final class FastRoom {
  /** Of the limit, but no more than half of what a shard takes where shards are many. */
  static final double MOST_COPIES_SHARE = 0.03;

  private final TableTiers table;
  private final FlushNeed flushes = new FlushNeed();
  private volatile boolean awaited;

  FastRoom(TableTiers table) {
    this.table = table;
  }

  /**
   * Rows that were in memory have been written to fast.
   *
   * @param bytes that were asked for and granted
   * @param hasRefused whether more was asked for
   */
  void flushed(long bytes, boolean hasRefused) {
    if (hasRefused) {
      flushes.refused(table.fastLimitBytes());
    } else {
      flushes.flushed(bytes, table.fastLimitBytes());
    }
  }

  /**
   * What compactions and copies leave on fast for flushes to use. In mode {@code cache} what was
   * flushed is copied afterwards, in parts: nothing is known of the whole.
   */
  long ofFlushesBytes() {
    long limitBytes = table.fastLimitBytes();
    return table.isCache() ? FlushNeed.mostBytes(limitBytes) : flushes.roomBytes(limitBytes);
  }

  /** What is left besides before rows are merged to make room: else copies would be refused. */
  long ofCopiesBytes() {
    return (long) (copiesShare(table.shards().count()) * table.fastLimitBytes());
  }

  static double copiesShare(int shards) {
    return Math.min(MOST_COPIES_SHARE, 0.5 / shards);
  }

  /**
   * What is spare beside all that. Where there is none, fast SSTables are merged, and what is cold
   * leaves.
   */
  long spareBytes() {
    return table.fast().roomBytes() - keptBytes();
  }

  /** The same of what the table itself may fill: what others leave idle is theirs. */
  long ownSpareBytes() {
    long ownBytes = table.fastLimitBytes() - table.fast().usedBytes();
    return Math.min(ownBytes, table.fast().roomBytes()) - keptBytes();
  }

  private long keptBytes() {
    return ofCompactionBytes() + ofFlushesBytes() + ofCopiesBytes();
  }

  /** A shard where fast is so full that just one can be compacted beside the room of flushes. */
  long ofFullShardBytes() {
    return (table.fastLimitBytes() - ofFlushesBytes()) / (table.shards().count() + 1);
  }

  /** What stays free for compacting a shard, now or when fast is full. */
  long ofCompactionBytes() {
    return Math.max(ofLargestShardBytes(), ofFullShardBytes());
  }

  /** The live bytes of the largest shard on fast: what compacting it needs beside it. */
  long ofLargestShardBytes() {
    FastShards shards = table.shards();
    long[] bytes = new long[shards.count()];
    for (SSTableReader sstable : table.cfs().getLiveSSTables()) {
      if (table.tierOf(sstable.descriptor) == Tier.FAST) {
        bytes[shards.of(sstable.getFirst().getToken())] += sstable.bytesOnDisk();
      }
    }
    return Arrays.stream(bytes).max().orElse(0);
  }

  /**
   * A merge finds no room beside its input while what the last one replaced is still being read,
   * and Cassandra asks what to compact only when it has flushed or a compaction has ended.
   */
  void compactWhenItComes() {
    awaited = true;
  }

  /** Called several times a second. */
  void lookForMore() {
    if (awaited && !table.fast().isRoomComing()) {
      awaited = false;
      CompactionManager.instance.submitBackground(table.cfs());
    }
  }
}
