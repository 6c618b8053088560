/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Where the single-partition reads of one table were served: each read by the tiers of the SSTables
 * that it looked into, and each SSTable by the reads that looked into it. Thread-safe.
 */
final class ReadStats {
  /** Longer than any memory takes and most solid-state disks; shorter than a disk arm. */
  private static final long WAIT_NANOS = 2_000_000;

  /** One SSTable's reads. */
  static final class PerSSTable {
    final Tier tier;
    final long bytes;
    final LongAdder reads = new LongAdder();
    final LongAdder misplacedReads = new LongAdder();
    final LongAdder wastedLookUps = new LongAdder();

    PerSSTable(Tier tier, long bytes) {
      this.tier = tier;
      this.bytes = bytes;
    }
  }

  final LongAdder reads = new LongAdder();
  final LongAdder fastReads = new LongAdder();
  final LongAdder slowReads = new LongAdder();
  final LongAdder slowLookUps = new LongAdder();
  final LongAdder selections = new LongAdder();
  final LongAdder hotReads = new LongAdder();
  final LongAdder hotSelections = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private volatile Descriptor largest;
  private final Map<Descriptor, PerSSTable> bySSTable = new ConcurrentHashMap<>();

  PerSSTable of(SSTableReader sstable, FastTier fast) {
    PerSSTable stats = bySSTable.get(sstable.descriptor);
    return stats != null
        ? stats
        : bySSTable.computeIfAbsent(
            sstable.descriptor, d -> new PerSSTable(fast.tierOf(d), sstable.onDiskLength()));
  }

  /** Whether a look-up that took {@code nanos} waited for a disk. */
  static boolean isWait(long nanos) {
    return nanos >= WAIT_NANOS;
  }

  /** A read waited for the disk to find its rows in an SSTable, or that it has none. */
  void waited(Descriptor sstable) {
    if (!isLargest(sstable)) {
      waits.increment();
    }
  }

  /** Whether it is the largest SSTable; that is looked up twice a minute or so. */
  boolean isLargest(Descriptor sstable) {
    return sstable.equals(largest);
  }

  /** Look-ups that waited in any SSTable but the largest, which nothing is merged with. */
  long waits() {
    return waits.sum();
  }

  void setLargest(Descriptor sstable) {
    largest = sstable;
  }

  long readsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.reads.sum();
  }

  long misplacedReadsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.misplacedReads.sum();
  }

  /** See {@link WastedLookUps}. */
  long wastedLookUpsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.wastedLookUps.sum();
  }

  /** Forgets the SSTables that are gone. */
  void retain(Set<Descriptor> live) {
    bySSTable.keySet().retainAll(live);
  }

  /** Reads that found their row in the memtable alone. */
  long memoryReads() {
    return Math.max(0, reads.sum() - fastReads.sum() - slowReads.sum());
  }

  /** Of the reads that looked into SSTables, the share that needed no slow one; 0 without reads. */
  double fastReadShare() {
    long fast = fastReads.sum();
    long slow = slowReads.sum();
    return fast + slow == 0 ? 0 : (double) fast / (fast + slow);
  }

  /** SSTables that the reads of hot rows looked into, of those reads that looked into any. */
  double sstablesPerHotRead() {
    long reads = hotReads.sum();
    return reads == 0 ? 0 : (double) hotSelections.sum() / reads;
  }

  double sstablesPerRead() {
    long onDisk = fastReads.sum() + slowReads.sum();
    return onDisk == 0 ? 0 : (double) selections.sum() / onDisk;
  }
}
