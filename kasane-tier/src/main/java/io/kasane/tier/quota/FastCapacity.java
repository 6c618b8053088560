/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.Tier;
import io.kasane.tier.control.FlushNeed;
import io.kasane.tier.sstables.FastShards;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** The room on the fast disk that writers of a table leave to others. Thread-safe. */
public final class FastCapacity {
  /** Of the limit, but no more than half of what a shard takes where shards are many. */
  static final double MAX_COPIES_SHARE = 0.03;

  /** So that shards are sized anew once a doubling, not at each flush. */
  private static final long GROWTH = 2;

  private final ColumnFamilyStore cfs;
  private final TableDisks disks;
  private final FastTier fast;
  private final LongSupplier sharedBytes;
  private final BooleanSupplier isCache;
  private final FlushNeed flushes = new FlushNeed(System::nanoTime);
  private volatile boolean awaited;
  private volatile long sizedForBytes;
  private volatile FastShards shards;

  /**
   * The room of a table.
   *
   * @param sharedBytes its part of the node's quota now
   * @param isCache whether slow is complete
   */
  public FastCapacity(
      ColumnFamilyStore cfs,
      TableDisks disks,
      FastTier fast,
      LongSupplier sharedBytes,
      BooleanSupplier isCache) {
    this.cfs = cfs;
    this.disks = disks;
    this.fast = fast;
    this.sharedBytes = sharedBytes;
    this.isCache = isCache;
    resize();
  }

  /**
   * As many shards as suit the limit of now, but no more than suit twice of what has lain on fast
   * since the node started: each flush makes an SSTable a shard, and while there is room to merge
   * them all at once, few do as well.
   */
  public void resize() {
    resizeFor(filledBytes());
  }

  private synchronized void resizeFor(long filledBytes) {
    sizedForBytes = Math.max(sizedForBytes, GROWTH * filledBytes);
    shards = new FastShards(cfs.getPartitioner(), limitBytes(), sizedForBytes);
  }

  /**
   * Called about once a second, and while SSTables are being written: a table that is loaded
   * outgrows its shards within minutes.
   *
   * @param comingBytes what is being written and is not live yet
   */
  public void resizeIfGrown(long comingBytes) {
    if (shards.areAll()) {
      return;
    }
    long filledBytes = filledBytes() + comingBytes;
    if (GROWTH * filledBytes > sizedForBytes) {
      resizeFor(filledBytes);
    }
  }

  private long filledBytes() {
    long bytes = 0;
    for (SSTableReader sstable : filling()) {
      bytes += disks.bytesOf(sstable);
    }
    return bytes;
  }

  /** What lies on fast, but what a compaction is about to put in the place of its inputs there. */
  private List<SSTableReader> filling() {
    Set<String> besideInputs = fast.besideTheirInputs();
    return cfs.getLiveSSTables().stream()
        .filter(sstable -> disks.tierOf(sstable.descriptor) == Tier.FAST)
        .filter(
            sstable ->
                besideInputs.isEmpty()
                    || !besideInputs.contains(QuotaGuard.filePrefix(sstable.descriptor)))
        .toList();
  }

  /**
   * By how much the table may grow and all of it still be little beside its limit, in either place.
   * There is room for rows that nobody has read, and to put them there costs no more than to write
   * them elsewhere and to copy them once they are read.
   */
  public long ofAllRowsBytes() {
    long limitBytes = limitBytes();
    long growthBytes = growthWhileLittle(limitBytes);
    return growthBytes > 0 ? Math.min(growthBytes, comingBytes(limitBytes)) : 0;
  }

  /** The same of what it has on slow already, by which it does not grow. */
  public long ofSlowRowsBytes() {
    long limitBytes = limitBytes();
    return growthWhileLittle(limitBytes) > 0 ? comingBytes(limitBytes) : 0;
  }

  private long growthWhileLittle(long limitBytes) {
    long mostBytes = FastShards.littleBytes(limitBytes) / GROWTH;
    return mostBytes == 0 ? 0 : mostBytes - filledBytes() - disks.liveBytes(Tier.SLOW);
  }

  /** Half the spare quota: what fills all of it would have to leave again. */
  private long comingBytes(long limitBytes) {
    return Math.max(0, ownSpareBytes(limitBytes)) / 2;
  }

  /** The share of the limit that hot rows may fill: that of the shards of a full disk, or less. */
  public double fill() {
    return shards.fill() * flushes.fill();
  }

  public FastShards shards() {
    return shards;
  }

  /** Bytes of the table's limit on the fast disk now. */
  public long limitBytes() {
    OptionalLong own = fast.tableLimitBytes();
    long shared = sharedBytes.getAsLong();
    return own.isPresent() ? Math.min(own.getAsLong(), shared) : shared;
  }

  /**
   * Rows that were in memory have been written to fast.
   *
   * @param bytes that were asked for and granted
   * @param hasRefused whether more was asked for
   */
  public void flushed(long bytes, boolean hasRefused) {
    if (hasRefused) {
      flushes.refused(limitBytes());
    } else {
      flushes.flushed(bytes, limitBytes());
    }
  }

  /**
   * What compactions and copies leave on fast for flushes to use. In mode {@code cache} what was
   * flushed is copied afterwards, in parts: nothing is known of the whole.
   */
  public long ofFlushesBytes() {
    return ofFlushesBytes(limitBytes());
  }

  private long ofFlushesBytes(long limitBytes) {
    return isCache.getAsBoolean() ? FlushNeed.mostBytes(limitBytes) : flushes.roomBytes(limitBytes);
  }

  /** What is left besides before rows are merged to make room: else copies would be refused. */
  private long ofCopiesBytes(long limitBytes) {
    return (long) (copiesShare(shards.countOfMore()) * limitBytes);
  }

  public static double copiesShare(int shards) {
    return Math.min(MAX_COPIES_SHARE, 0.5 / shards);
  }

  /**
   * What is spare beside all that. Where there is none, fast SSTables are merged, and what is cold
   * leaves.
   */
  public long spareBytes() {
    return fast.roomBytes() - keptBytes(limitBytes());
  }

  /** The same of what the table itself may fill: what others leave idle is theirs. */
  public long ownSpareBytes() {
    return ownSpareBytes(limitBytes());
  }

  private long ownSpareBytes(long limitBytes) {
    long ownBytes = limitBytes - fast.usedBytes();
    return Math.min(ownBytes, fast.roomBytes()) - keptBytes(limitBytes);
  }

  private long keptBytes(long limitBytes) {
    return ofCompactionBytes(limitBytes) + ofFlushesBytes(limitBytes) + ofCopiesBytes(limitBytes);
  }

  /** A shard where fast is so full that just one can be compacted beside the room of flushes. */
  private long ofFullShardBytes(long limitBytes) {
    return (limitBytes - ofFlushesBytes(limitBytes)) / (shards.countOfMore() + 1);
  }

  /** What stays free for compacting a shard, now or when fast is full. */
  public long ofCompactionBytes() {
    return ofCompactionBytes(limitBytes());
  }

  private long ofCompactionBytes(long limitBytes) {
    return Math.max(ofLargestShardBytes(), ofFullShardBytes(limitBytes));
  }

  /**
   * The live bytes of the largest shard on fast: what compacting it needs beside it. What a
   * compaction is about to put in the place of its inputs does not make a shard twice as large.
   */
  public long ofLargestShardBytes() {
    FastShards now = shards;
    long[] bytes = new long[now.count()];
    for (SSTableReader sstable : filling()) {
      bytes[now.of(sstable.getFirst().getToken())] += disks.bytesOf(sstable);
    }
    return Arrays.stream(bytes).max().orElse(0);
  }

  /**
   * A merge finds no room beside its input while what the last one replaced is still being read,
   * and Cassandra asks what to compact only when it has flushed or a compaction has ended.
   */
  public void compactWhenItComes() {
    awaited = true;
  }

  /** Called several times a second. */
  public void lookForMore() {
    if (awaited && !fast.isRoomComing()) {
      awaited = false;
      CompactionManager.instance.submitBackground(cfs);
    }
  }
}
