/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.Tier;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Where the single-partition reads of one table were served: each read by the tiers of the SSTables
 * that it looked into, and each SSTable by the reads that looked into it. Thread-safe.
 */
public final class ReadStats {
  /** Longer than any memory takes and most solid-state disks; shorter than a disk arm. */
  private static final long WAIT_NANOS = 2_000_000;

  /** Of so many reads one is asked whether its row is hot. */
  private static final int SAMPLE = 16;

  /** One SSTable's reads. */
  public static final class PerSSTable {
    final Tier tier;
    final long bytes;
    final LongAdder reads = new LongAdder();
    public final LongAdder misplacedReads = new LongAdder();
    final LongAdder wastedLookUps = new LongAdder();

    PerSSTable(Tier tier, long bytes) {
      this.tier = tier;
      this.bytes = bytes;
    }
  }

  private final TableDisks disks;
  private final Predicate<DecoratedKey> isHot;
  private final BooleanSupplier countsMisplaced;
  public final LongAdder reads = new LongAdder();
  public final LongAdder fastReads = new LongAdder();
  public final LongAdder slowReads = new LongAdder();
  public final LongAdder slowLookUps = new LongAdder();

  /** Those that waited for the disk, and those of bloom filters' mistakes. */
  public final LongAdder slowWaits = new LongAdder();

  /** The same, on fast. */
  public final LongAdder fastWaits = new LongAdder();

  final LongAdder selections = new LongAdder();
  final LongAdder hotReads = new LongAdder();
  final LongAdder hotSelections = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private volatile Descriptor largest;
  private final Map<Descriptor, PerSSTable> bySSTable = new ConcurrentHashMap<>();

  /**
   * Nothing was read yet.
   *
   * @param isHot whether a row is hot
   * @param countsMisplaced whether reads of hot rows on slow are to be counted by SSTable
   */
  public ReadStats(
      TableDisks disks, Predicate<DecoratedKey> isHot, BooleanSupplier countsMisplaced) {
    this.disks = disks;
    this.isHot = isHot;
    this.countsMisplaced = countsMisplaced;
  }

  /**
   * For how many reads of hot rows a read of {@code key} counts. Of most none is asked, where their
   * mean is all that is wanted.
   */
  int hotReadsFor(DecoratedKey key) {
    if (countsMisplaced()) {
      return isHot.test(key) ? 1 : 0;
    }
    boolean isAsked = ThreadLocalRandom.current().nextInt(SAMPLE) == 0;
    return isAsked && isHot.test(key) ? SAMPLE : 0;
  }

  boolean countsMisplaced() {
    return countsMisplaced.getAsBoolean();
  }

  public PerSSTable of(SSTableReader sstable) {
    PerSSTable stats = bySSTable.get(sstable.descriptor);
    return stats != null
        ? stats
        : bySSTable.computeIfAbsent(
            sstable.descriptor, d -> new PerSSTable(disks.tierOf(d), sstable.onDiskLength()));
  }

  /** Whether a look-up that took {@code nanos} waited for a disk. */
  public static boolean isWait(long nanos) {
    return nanos >= WAIT_NANOS;
  }

  /** A read waited for the disk to find its rows in an SSTable, or that it has none. */
  public void waited(SSTableReader sstable) {
    if (of(sstable).tier == Tier.SLOW) {
      slowWaits.increment();
    } else {
      fastWaits.increment();
    }
    if (!isLargest(sstable.descriptor)) {
      waits.increment();
    }
  }

  /** Whether it was the largest SSTable when that was looked up last, once a heat period. */
  boolean isLargest(Descriptor sstable) {
    return sstable.equals(largest);
  }

  /** Look-ups that waited in any SSTable but the largest, which nothing is merged with. */
  public long waits() {
    return waits.sum();
  }

  public void setLargest(Descriptor sstable) {
    largest = sstable;
  }

  public long readsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.reads.sum();
  }

  public long misplacedReadsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.misplacedReads.sum();
  }

  /** See {@link ReadAmplification}. */
  public long wastedLookUpsOf(Descriptor sstable) {
    PerSSTable stats = bySSTable.get(sstable);
    return stats == null ? 0 : stats.wastedLookUps.sum();
  }

  /** Forgets the SSTables that are gone. */
  public void retain(Set<Descriptor> live) {
    bySSTable.keySet().retainAll(live);
  }

  /** Reads that found their row in the memtable alone. */
  public long memoryReads() {
    return Math.max(0, reads.sum() - fastReads.sum() - slowReads.sum());
  }

  /** Of the reads that looked into SSTables, the share that needed no slow one; 0 without reads. */
  public double fastReadShare() {
    long fast = fastReads.sum();
    long slow = slowReads.sum();
    return fast + slow == 0 ? 0 : (double) fast / (fast + slow);
  }

  /** SSTables that the reads of hot rows looked into, of those reads that looked into any. */
  public double sstablesPerHotRead() {
    long reads = hotReads.sum();
    return reads == 0 ? 0 : (double) hotSelections.sum() / reads;
  }

  public double sstablesPerRead() {
    long onDisk = fastReads.sum() + slowReads.sum();
    return onDisk == 0 ? 0 : (double) selections.sum() / onDisk;
  }
}
