/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.SharedInputs;
import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.write.PlacementRun;
import io.kasane.tier.write.ReplacedOverlaps;
import io.kasane.tier.write.SplitCompactionWriter;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.CompactionParams;

/** A compaction that sorts its output by tier. */
public final class TierTask extends CompactionTask {
  private final TieredTable table;
  private final Pick.Kind kind;
  private ReplacedOverlaps overlaps;
  private SplitCompactionWriter writer;
  private SharedInputs shared; // null: rows may not be copied from the inputs

  public TierTask(TieredTable table, LifecycleTransaction txn, long gcBefore, Pick.Kind kind) {
    super(table.cfs(), txn, gcBefore);
    this.table = table;
    this.kind = kind;
  }

  /**
   * What {@code provide_overlapping_tombstones} asks for would leave out a deletion because another
   * SSTable has the same one, be it a copy that is about to go.
   */
  @Override
  protected CompactionController getCompactionController(Set<SSTableReader> toCompact) {
    CompactionController controller =
        mergesCopiesOfWindows()
            ? new BesideTheDead(
                cfs, toCompact, ExpiredWindows.deadBeside(table, toCompact, gcBefore), gcBefore)
            : new CompactionController(
                cfs, toCompact, gcBefore, null, CompactionParams.TombstoneOption.NONE);
    if (kind == Pick.Kind.EXPIRED) {
      ExpiredWindows.keepExpired(transaction, controller.getFullyExpiredSSTables());
    }
    overlaps = new ReplacedOverlaps(controller);
    return controller;
  }

  /**
   * Copies that may not be dropped now would be written to slow, for safety: as an SSTable of many
   * windows, where there are any. They can wait.
   */
  private void requireCopiesOfWindows() {
    boolean canWait =
        kind == Pick.Kind.FAST_ONLY || kind == Pick.Kind.EVICT || kind == Pick.Kind.RENEW;
    if (canWait
        && mergesCopiesOfWindows()
        && !table.copies().mayBeDropped(transaction.originals())) {
      throw new CompactionInterruptedException(
          transaction.originals() + " are copies of what is being compacted; they wait for that");
    }
  }

  private boolean mergesCopiesOfWindows() {
    return table.options().picker().windows().isPresent()
        && transaction.originals().stream()
            .allMatch(s -> table.disks().tierOf(s.descriptor) == Tier.FAST);
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpired) {
    requireCopiesOfWindows();
    writer =
        new SplitCompactionWriter(
            table,
            directories,
            txn,
            nonExpired,
            keepOriginals,
            coldRows(),
            table.tasks().ofThisThread().orElseThrow().rows(),
            this::endSharing,
            overlaps);
    if (isAllOnSlow(txn.originals())) {
      shared = table.tasks().share(txn.originals());
    }
    return writer;
  }

  private void endSharing() {
    if (shared != null) {
      table.tasks().endSharing(shared);
    }
  }

  /** Of what lies on fast a row may not be copied, and all that they hold of it must be. */
  private boolean isAllOnSlow(Set<SSTableReader> inputs) {
    return inputs.stream().allMatch(s -> table.disks().tierOf(s.descriptor) == Tier.SLOW);
  }

  /**
   * A row that cooled leaves fast when its place is needed: else each merge of fast SSTables would
   * write to slow, for rows that may become hot again. A table that is small beside its quota comes
   * to fast as it is merged.
   */
  private PlacementRun.ColdRows coldRows() {
    Set<SSTableReader> inputs = transaction.originals();
    if (Candidates.risingTogether(table, inputs).size() == inputs.size()) {
      return PlacementRun.ColdRows.STAY;
    }
    boolean fastOnly =
        kind == Pick.Kind.FAST_ONLY || kind == Pick.Kind.EVICT || kind == Pick.Kind.RENEW;
    if (!fastOnly || !table.copiesRows()) {
      return PlacementRun.ColdRows.LEAVE;
    }
    return Candidates.fastState(table).hasRoom()
        ? PlacementRun.ColdRows.STAY
        : PlacementRun.ColdRows.LEAVE_WITH_FORGOTTEN;
  }

  @Override
  protected int executeInternal(ActiveCompactionsTracker activeCompactions) {
    // Not before it runs: Cassandra may drop a task that it asked for.
    RunningTasks.Entry entry =
        table
            .tasks()
            .begin(kind, transaction.originals(), table.disks().bytesOf(transaction.originals()));
    boolean rewrite =
        kind == Pick.Kind.PROMOTE || kind == Pick.Kind.EVICT || kind == Pick.Kind.RENEW;
    long began = System.nanoTime();
    if (rewrite) {
      table.rewrites().begins();
    }
    if (kind == Pick.Kind.PURGE) {
      table.purges().begins();
    }
    try {
      int sstables = super.executeInternal(activeCompactions);
      if (writer != null) {
        writer.publish();
        if (mergesCopiesOfWindows()) {
          table.purged(writer.written(), gcBefore);
        }
        if (kind == Pick.Kind.PURGE) {
          Purges.noteLeft(table, transaction.originals(), writer.written(), gcBefore);
        }
      }
      return sstables;
    } finally {
      endSharing();
      if (rewrite) {
        table.rewrites().ended(System.nanoTime() - began);
      }
      if (kind == Pick.Kind.PURGE) {
        table.purges().ended(System.nanoTime() - began);
      }
      if (writer != null) {
        writer.forget();
      }
      table.skippable().settled(entry.inputs());
      table.tasks().end(entry);
    }
  }
}
