/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.sstables.SharedInputs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * Slow SSTables of one repair status that staged rows are copied from. Until this is closed they
 * are live and marked as compacting: by the copy itself, or by a compaction that shares its inputs
 * and waits. Used by one thread.
 */
final class PinnedSources implements AutoCloseable {
  private final StagedRows staged;
  private final boolean repaired;
  private final List<SharedInputs> entered = new ArrayList<>();
  private LifecycleTransaction marked; // null: nothing may be copied now

  private PinnedSources(StagedRows staged, boolean repaired) {
    this.staged = staged;
    this.repaired = repaired;
  }

  /**
   * Holds what was staged. A truncation leaves out SSTables that are being compacted, after it has
   * stopped all compactions and waited until none is; it has the table's monitor all the while. So
   * all is held at once under it: who has entered waits for nobody.
   *
   * @param isSource whether rows of an SSTable may be copied
   */
  static PinnedSources hold(
      ColumnFamilyStore cfs,
      StagedRows staged,
      boolean repaired,
      Predicate<SSTableReader> isSource) {
    PinnedSources held = new PinnedSources(staged, repaired);
    try {
      synchronized (cfs) {
        held.enterCompactions();
        held.mark(cfs, isSource);
      }
      return held;
    } catch (RuntimeException | Error e) {
      held.close();
      throw e;
    }
  }

  private void enterCompactions() {
    for (SharedInputs compacted : staged.compacted()) {
      if (compacted.all().stream().allMatch(this::isAlike) && compacted.enter()) {
        entered.add(compacted);
      }
    }
  }

  private void mark(ColumnFamilyStore cfs, Predicate<SSTableReader> isSource) {
    List<SSTableReader> idle = new ArrayList<>();
    for (SSTableReader sstable : cfs.getTracker().getView().select(SSTableSet.NONCOMPACTING)) {
      if (staged.readsFrom(sstable.descriptor) && isSource.test(sstable) && isAlike(sstable)) {
        idle.add(sstable);
      }
    }
    marked = cfs.getTracker().tryModify(idle, OperationType.COMPACTION);
  }

  private boolean isAlike(SSTableReader sstable) {
    return sstable.isRepaired() == repaired;
  }

  /** The mark of those that no compaction has marked. */
  LifecycleTransaction mark() {
    return marked;
  }

  /**
   * What may be copied, by key in their order on disk: of what is being compacted all that the
   * compaction has of a row, or nothing.
   */
  NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows() {
    Map<Descriptor, Optional<SharedInputs>> held = new HashMap<>();
    if (marked != null) {
      marked.originals().forEach(sstable -> held.put(sstable.descriptor, Optional.empty()));
      for (SharedInputs compacted : entered) {
        compacted.all().forEach(s -> held.put(s.descriptor, Optional.of(compacted)));
      }
    }
    return staged.of(
        (sstable, key) ->
            held.containsKey(sstable)
                && held.get(sstable).map(all -> staged.hasAllOf(key, all)).orElse(true));
  }

  /** Those that have any of these rows. */
  List<SSTableReader> of(Map<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows) {
    Set<Descriptor> names = new HashSet<>();
    rows.values().forEach(parts -> names.addAll(parts.keySet()));
    List<SSTableReader> all = new ArrayList<>(marked.originals());
    entered.forEach(compacted -> all.addAll(compacted.all()));
    return all.stream().filter(sstable -> names.contains(sstable.descriptor)).toList();
  }

  @Override
  public void close() {
    entered.forEach(SharedInputs::leave);
    entered.clear();
    if (marked != null) {
      marked.close();
    }
  }
}
