/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Follows one read through the SSTables that it looks into. Cassandra opens some of them only while
 * the result is consumed, after the read was reported, so nothing tells the end of a read: the
 * counts are kept right after every step instead. Used by one thread at a time.
 */
final class ReadScope implements SSTableReadsListener {
  private static final ThreadLocal<ReadScope> last = new ThreadLocal<>();

  private final TableTiers table;
  private final DecoratedKey key;
  private final SSTableReadsListener inner;
  private boolean fast;
  private boolean slow;
  private boolean hot;
  private boolean reported;
  private ReadStats.PerSSTable selected;
  private final WastedLookUps repaired = new WastedLookUps();
  private final WastedLookUps unrepaired = new WastedLookUps();

  private ReadScope(TableTiers table, DecoratedKey key, SSTableReadsListener inner) {
    this.table = table;
    this.key = key;
    this.inner = inner;
  }

  /** The scope of the read that asks for {@code key}: one read passes one and the same key. */
  @SuppressWarnings("ReferenceEquality")
  static ReadScope of(TableTiers table, DecoratedKey key, SSTableReadsListener inner) {
    ReadScope scope = last.get();
    if (scope == null || scope.table != table || scope.key != key || scope.inner != inner) {
      scope = new ReadScope(table, key, inner);
      last.set(scope);
    }
    return scope;
  }

  /**
   * Cassandra has reported the read: of most reads that is the end, of some only the end of the
   * preparations.
   */
  @SuppressWarnings("ReferenceEquality")
  static void reported(TableTiers table, DecoratedKey key) {
    ReadScope scope = last.get();
    if (scope != null && scope.table == table && scope.key == key) {
      scope.reported = true;
      if (scope.slow) {
        table.wantOnFast(key);
      }
    }
  }

  /** A look-up of the read is over, and waited for the disk or not. */
  @SuppressWarnings("ReferenceEquality")
  static void lookedUp(
      TableTiers table, SSTableReader sstable, DecoratedKey key, boolean hasWaited) {
    ReadScope scope = last.get();
    if (scope != null && scope.table == table && scope.key == key) {
      scope.lookedUp(sstable, hasWaited);
    }
  }

  private void lookedUp(SSTableReader sstable, boolean hasWaited) {
    if (selected == null) {
      if (hasWaited) {
        tookForTheRow(sstable);
      }
    } else if (selected.tier == Tier.SLOW) {
      // What is repaired and what is not are never merged with each other.
      (sstable.isRepaired() ? repaired : unrepaired).add(selected, hasWaited);
    }
    selected = null;
    if (reported && slow && table.copiesRows()) {
      table.wantOnFast(key);
    }
  }

  /** A bloom filter erred, which one filter in the place of two does half as often. */
  private void tookForTheRow(SSTableReader sstable) {
    ReadStats stats = table.readStats();
    ReadStats.PerSSTable perSSTable = stats.of(sstable, table.fast());
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
    ReadStats stats = table.readStats();
    ReadStats.PerSSTable perSSTable = stats.of(sstable, table.fast());
    selected = perSSTable;
    perSSTable.reads.increment();
    stats.selections.increment();
    if (!fast && !slow) {
      hot = table.isHot(key);
      if (hot) {
        stats.hotReads.increment();
      }
    }
    if (hot) {
      stats.hotSelections.increment();
    }
    if (perSSTable.tier == Tier.SLOW) {
      stats.slowLookUps.increment();
      if (hot && !table.copiesRows()) {
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
