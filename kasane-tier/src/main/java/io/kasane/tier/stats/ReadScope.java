/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import io.kasane.copies.sstables.Tier;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Follows one read through the SSTables that it looks into. Cassandra opens some of them only while
 * the result is consumed, after the read was reported, so nothing tells the end of a read: the
 * counts are kept right after every step instead. Used by one thread at a time.
 */
public final class ReadScope implements SSTableReadsListener {
  private static final ThreadLocal<ReadScope> last = new ThreadLocal<>();

  private final ReadStats stats;
  private final DecoratedKey key;
  private final SSTableReadsListener inner;
  private boolean fast;
  private boolean slow;
  private int hotReads;
  private boolean reported;
  private ReadStats.PerSSTable selected;
  private ReadAmplification repaired; // null until a slow SSTable was looked into
  private ReadAmplification unrepaired;

  private ReadScope(ReadStats stats, DecoratedKey key, SSTableReadsListener inner) {
    this.stats = stats;
    this.key = key;
    this.inner = inner;
  }

  /** The scope of the read that asks for {@code key}: one read passes one and the same key. */
  @SuppressWarnings("ReferenceEquality")
  public static ReadScope of(ReadStats stats, DecoratedKey key, SSTableReadsListener inner) {
    ReadScope scope = last.get();
    if (scope == null || scope.stats != stats || scope.key != key || scope.inner != inner) {
      scope = new ReadScope(stats, key, inner);
      last.set(scope);
    }
    return scope;
  }

  /**
   * Cassandra has reported the read: of most reads that is the end, of some only the end of the
   * preparations.
   *
   * @return whether the read needed slow
   */
  @SuppressWarnings("ReferenceEquality")
  public static boolean reported(ReadStats stats, DecoratedKey key) {
    ReadScope scope = last.get();
    if (scope == null || scope.stats != stats || scope.key != key) {
      return false;
    }
    scope.reported = true;
    return scope.slow;
  }

  /**
   * A look-up of the read is over, and waited for the disk or not.
   *
   * @return whether the read needed slow and was reported before
   */
  @SuppressWarnings("ReferenceEquality")
  public static boolean lookedUp(
      ReadStats stats, SSTableReader sstable, DecoratedKey key, boolean hasWaited) {
    ReadScope scope = last.get();
    if (scope == null || scope.stats != stats || scope.key != key) {
      return false;
    }
    scope.lookedUp(sstable, hasWaited);
    return scope.reported && scope.slow;
  }

  private void lookedUp(SSTableReader sstable, boolean hasWaited) {
    if (selected == null) {
      if (hasWaited) {
        tookForTheRow(sstable);
      }
    } else if (selected.tier == Tier.SLOW) {
      lookUpsAmong(sstable.isRepaired()).add(selected, hasWaited);
    }
    selected = null;
  }

  /** What is repaired and what is not are never merged with each other. */
  private ReadAmplification lookUpsAmong(boolean isRepaired) {
    if (isRepaired) {
      repaired = repaired == null ? new ReadAmplification() : repaired;
      return repaired;
    }
    unrepaired = unrepaired == null ? new ReadAmplification() : unrepaired;
    return unrepaired;
  }

  /** A bloom filter erred, which one filter in the place of two does half as often. */
  private void tookForTheRow(SSTableReader sstable) {
    ReadStats.PerSSTable perSSTable = stats.of(sstable);
    if (perSSTable.tier == Tier.SLOW && !stats.isLargest(sstable.descriptor)) {
      perSSTable.wastedLookUps.increment();
    }
  }

  @Override
  public void onSSTableSkipped(SSTableReader sstable, SkippingReason reason) {
    inner.onSSTableSkipped(sstable, reason);
  }

  @Override
  public void onSSTableSelected(SSTableReader sstable, SelectionReason reason) {
    inner.onSSTableSelected(sstable, reason);
    ReadStats.PerSSTable perSSTable = stats.of(sstable);
    selected = perSSTable;
    perSSTable.reads.increment();
    stats.selections.increment();
    if (!fast && !slow) {
      hotReads = stats.hotReadsFor(key);
      stats.hotReads.add(hotReads);
    }
    stats.hotSelections.add(hotReads);
    if (perSSTable.tier == Tier.SLOW) {
      stats.slowLookUps.increment();
      if (hotReads > 0 && stats.countsMisplaced()) {
        perSSTable.misplacedReads.increment();
      }
      if (!slow) {
        slow = true;
        stats.slowReads.increment();
        if (fast) {
          stats.fastReads.decrement();
        }
      }
    } else if (!fast) {
      fast = true;
      if (!slow) {
        stats.fastReads.increment();
      }
    }
  }

  @Override
  public void onScanningStarted(SSTableReader sstable) {
    inner.onScanningStarted(sstable);
  }
}
