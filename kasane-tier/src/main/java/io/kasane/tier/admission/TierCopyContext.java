/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.admission;

import io.kasane.copies.promote.CopyContext;
import io.kasane.copies.promote.CopyWriter;
import io.kasane.copies.skipindex.SkippableRows;
import io.kasane.copies.sstables.SharedInputs;
import io.kasane.copies.sstables.TableDisks;
import io.kasane.copies.sstables.WriterMetadata;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.write.FastWriter;
import io.kasane.tier.write.PlacementRun;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** What kasane-copies may ask of a table and its fast disk. Thread-safe. */
public final class TierCopyContext implements CopyContext {
  private final PromotionContext table;
  private final Admission admission;

  public TierCopyContext(PromotionContext table, Admission admission) {
    this.table = table;
    this.admission = admission;
  }

  @Override
  public ColumnFamilyStore cfs() {
    return table.cfs();
  }

  @Override
  public TableDisks disks() {
    return table.disks();
  }

  @Override
  public SkippableRows skippable() {
    return table.skippable();
  }

  @Override
  public boolean copiesRows() {
    return table.copiesRows();
  }

  @Override
  public boolean belongsOnFast(DecoratedKey key) {
    return admission.belongsOnFast(key);
  }

  @Override
  public boolean mayCopyUnread(DecoratedKey key) {
    return admission.mayCopyUnread(key);
  }

  @Override
  public int shards() {
    return table.room().shards().count();
  }

  @Override
  public Limits limits() {
    TierOptions options = table.options();
    return new Limits(
        options.promotionRowsPerSecond(), options.promotionBytesPerSecond(), !options.goesByHeat());
  }

  @Override
  public long slowLookUps() {
    return table.readStats().slowLookUps.sum();
  }

  @Override
  public long slowWaits() {
    return table.readStats().slowWaits.sum();
  }

  @Override
  public Optional<SharedInputs> sharing(SSTableReader sstable) {
    return table.tasks().sharing(sstable);
  }

  @Override
  public void keptFromCopying(SSTableReader sstable) {
    table.readStats().of(sstable).misplacedReads.increment();
  }

  @Override
  public Runnable begins(Collection<SSTableReader> sources, long bytes) {
    RunningTasks.Entry entry = table.tasks().begin(Pick.Kind.COPY, sources, bytes);
    return () -> table.tasks().end(entry);
  }

  @Override
  public CopyWriter open(List<SSTableReader> sources, boolean ofFlush, WriterMetadata claims) {
    PlacementRun placement =
        new PlacementRun(table, sources, PlacementRun.ColdRows.LEAVE, table.heat().hotSet());
    return new FastWriter(table, placement, ofFlush, claims);
  }

  @Override
  public void copied(int rows) {
    table.moves().copiedRows.inc(rows);
  }
}
