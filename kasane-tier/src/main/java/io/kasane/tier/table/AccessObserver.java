/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.promote.Promoter;
import io.kasane.host.read.TableObserver;
import io.kasane.tier.admission.Admission;
import io.kasane.tier.admission.PromotionContext;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.stats.ReadScope;
import io.kasane.tier.stats.ReadStats;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What happens when a row of a table is read or written. For Cassandra's threads. */
final class AccessObserver implements TableObserver {
  private final PromotionContext table;
  private final ReadStats stats;
  private final Admission admission;
  private final Promoter promoter;

  AccessObserver(PromotionContext table, Admission admission, Promoter promoter) {
    this.table = table;
    this.stats = table.readStats();
    this.admission = admission;
    this.promoter = promoter;
  }

  @Override
  public void onRead(DecoratedKey key) {
    stats.reads.increment();
    if (table.options().counts() != TierOptions.Counts.WRITES) {
      table.heat().record(key);
    }
    if (table.copiesRows() && ReadScope.reported(stats, key)) {
      wantOnFast(key);
    }
  }

  @Override
  public void onWrite(DecoratedKey key) {
    if (table.options().counts() != TierOptions.Counts.READS) {
      table.heat().record(key);
    }
  }

  @Override
  public SSTableReadsListener onSSTableRead(
      SSTableReader sstable, DecoratedKey key, SSTableReadsListener listener) {
    return ReadScope.of(stats, key, listener);
  }

  @Override
  public boolean isSkippable(SSTableReader sstable, DecoratedKey key) {
    return table.copiesRows() && table.skippable().contains(sstable.descriptor, key);
  }

  @Override
  public void onLookUp(SSTableReader sstable, DecoratedKey key, long nanos) {
    boolean hasWaited = ReadStats.isWait(nanos);
    if (hasWaited) {
      stats.waited(sstable);
    }
    if (ReadScope.lookedUp(stats, sstable, key, hasWaited) && table.copiesRows()) {
      wantOnFast(key);
    }
  }

  /** A read that looked into slow SSTables is over, so that its blocks are in memory. */
  private void wantOnFast(DecoratedKey key) {
    if (admission.wants(key)) {
      promoter.offer(key);
    }
  }
}
