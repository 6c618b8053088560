/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.control.PurgePace;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.FastState;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.pick.PurgeCandidate;
import io.kasane.tier.pick.PurgePicker;
import io.kasane.tier.pick.SlowTierLoad;
import io.kasane.tier.pick.TierPicker;
import io.kasane.tier.pick.TimeWindows;
import io.kasane.tier.sstables.FastShards;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * What to compact next among the SSTables that a strategy instance is entrusted with. The caller
 * sees to it that these do not change meanwhile.
 */
public final class Picks {
  private final ColumnFamilyStore cfs;
  private final Optional<TieredTable> table;
  private final TierPicker picker;
  private final PurgePicker purgePicker;
  private final Optional<ExpiredWindows> expired;
  private final long purgeRetryNanos;

  /**
   * What is next.
   *
   * @param pendingTasks about how many are due
   */
  public record Next(Optional<Pick<SSTableReader>> pick, int pendingTasks) {}

  /**
   * Picks of a table.
   *
   * @param table absent if the node runs without Kasane's storage hook
   * @param numbers of a table with a fast disk
   * @param tombstoneThreshold stock's option
   * @param tombstoneIntervalSeconds stock's option
   */
  public Picks(
      ColumnFamilyStore cfs,
      Optional<TieredTable> table,
      PickerOptions numbers,
      double tombstoneThreshold,
      long tombstoneIntervalSeconds) {
    this.cfs = cfs;
    this.table = table;
    this.picker = new TierPicker(hasFastTier() ? numbers : numbers.withoutFastDisk());
    this.purgePicker = new PurgePicker(tombstoneThreshold);
    this.expired = numbers.windows().map(windows -> new ExpiredWindows(cfs, table, windows));
    this.purgeRetryNanos = TimeUnit.SECONDS.toNanos(tombstoneIntervalSeconds);
  }

  private boolean hasFastTier() {
    return table.isPresent() && table.get().fast().exists();
  }

  /**
   * Chooses.
   *
   * @param mine the SSTables
   * @param isWorthDropping whether an SSTable has so many tombstones that it is compacted alone
   */
  public Next next(
      Set<SSTableReader> mine, long gcBefore, Predicate<SSTableReader> isWorthDropping) {
    List<SSTableReader> idle = idle(mine);
    Predicate<Descriptor> isCopy = Candidates.isCopy(table);
    List<Candidate<SSTableReader>> candidates =
        withoutWhatWouldMixWindows(
            inWindows(idle.stream().map(s -> Candidates.of(table, s, isCopy)).toList(), mine));
    boolean roomComes = hasFastTier() && table.get().fast().isRoomComing(); // before it is measured
    FastState fast = fastState();
    if (roomComes && picker.lacksRoomToMerge(candidates, fast)) {
      table.get().room().compactWhenItComes();
    }
    boolean mayRewrite = hasFastTier() && table.get().rewrites().mayBegin();
    Optional<Pick<SSTableReader>> pick =
        expired
            .flatMap(windows -> windows.next(candidates, fast, gcBefore, mayRewrite))
            .or(() -> picker.pick(candidates, slowTasks(), fast, mayRewrite))
            .or(() -> mayRewrite && !fast.hasRoom() ? uncut(idle, fast) : Optional.empty())
            .or(() -> mayRewrite ? rise(idle) : Optional.empty())
            .or(() -> purge(idle, fast, gcBefore))
            .or(() -> dropsTombstones() ? tombstones(idle, isWorthDropping) : Optional.empty());
    return new Next(pick, picker.pending(candidates));
  }

  /**
   * Of a table with windows: copies whose sources are being compacted by others would be written to
   * slow for safety, and what is no copy is for the compaction that completes slow.
   */
  private List<Candidate<SSTableReader>> withoutWhatWouldMixWindows(
      List<Candidate<SSTableReader>> candidates) {
    if (expired.isEmpty() || !hasFastTier()) {
      return candidates;
    }
    boolean completes = slowTasks() == SlowTierLoad.NONE;
    return candidates.stream()
        .filter(
            c ->
                c.tier() == Tier.SLOW
                    || (c.copy()
                        ? table.get().copies().mayBeDropped(List.of(c.table()))
                        : completes))
        .toList();
  }

  private boolean dropsTombstones() {
    return picker.options().windows().map(TimeWindows::dropsTombstones).orElse(true);
  }

  private static Optional<Pick<SSTableReader>> tombstones(
      List<SSTableReader> idle, Predicate<SSTableReader> isWorthDropping) {
    return idle.stream()
        .filter(isWorthDropping)
        .max(SSTableReader.sizeComparator)
        .map(s -> new Pick<>(Pick.Kind.TOMBSTONES, List.of(s)));
  }

  /**
   * Says of slow SSTables which window they are of.
   *
   * @param all those that are entrusted, compacted or not
   */
  private List<Candidate<SSTableReader>> inWindows(
      List<Candidate<SSTableReader>> candidates, Collection<SSTableReader> all) {
    Optional<TimeWindows> windows = picker.options().windows();
    if (windows.isEmpty()) {
      return candidates;
    }
    TimeWindows cut = windows.get();
    long newestMillis =
        all.stream().mapToLong(s -> cut.millis(s.getMaxTimestamp())).max().orElse(Long.MAX_VALUE);
    long openMillis = cut.openSince(newestMillis, System.currentTimeMillis());
    return candidates.stream()
        .map(
            c -> {
              long startMillis = cut.startOf(cut.millis(c.table().getMaxTimestamp()));
              return c.tier() == Tier.SLOW ? c.inWindow(startMillis, startMillis >= openMillis) : c;
            })
        .toList();
  }

  /**
   * What was little beside the quota, and is much beside one that was made smaller: as one shard it
   * never fits beside itself. It is cut, and what finds no room goes to slow.
   */
  private Optional<Pick<SSTableReader>> uncut(List<SSTableReader> idle, FastState fast) {
    FastShards shards = table.get().room().shards();
    return idle.stream()
        .filter(s -> table.get().disks().tierOf(s.descriptor) == Tier.FAST)
        .filter(s -> shards.of(s.getFirst().getToken()) != shards.of(s.getLast().getToken()))
        .filter(s -> table.get().disks().bytesOf(s) > fast.roomBytes())
        .max(SSTableReader.sizeComparator)
        .map(s -> new Pick<>(Pick.Kind.EVICT, List.of(s)));
  }

  private Optional<Pick<SSTableReader>> rise(List<SSTableReader> idle) {
    List<SSTableReader> rising = Candidates.rising(table.get(), idle);
    return rising.isEmpty() || slowTasks() != SlowTierLoad.NONE
        ? Optional.empty()
        : Optional.of(new Pick<>(Pick.Kind.PROMOTE, rising));
  }

  private SlowTierLoad slowTasks() {
    return hasFastTier() ? table.get().tasks().slowTasks() : SlowTierLoad.NONE;
  }

  /** SSTables that another instance is entrusted with block a purge, and cannot come along. */
  private Optional<Pick<SSTableReader>> purge(
      Collection<SSTableReader> idle, FastState fast, long gcBefore) {
    if (!hasFastTier() || expired.isPresent()) { // it would merge windows
      return Optional.empty();
    }
    Set<SSTableReader> mine = Set.copyOf(idle);
    Predicate<Descriptor> isCopy = Candidates.isCopy(table);
    List<PurgeCandidate<SSTableReader, DecoratedKey>> live = new ArrayList<>();
    for (SSTableReader sstable : cfs.getLiveSSTables()) {
      Candidate<SSTableReader> candidate = Candidates.of(table, sstable, isCopy);
      live.add(Purges.candidate(cfs, candidate, mine.contains(sstable), gcBefore));
    }
    PurgePace pace = table.get().purges();
    return purgePicker.pick(
        live, fast, shard -> pace.leftCells(shard, purgeRetryNanos), pace::allows);
  }

  /** Whether tombstones on fast can be purged. */
  public boolean isPurgeDue(Set<SSTableReader> mine, long gcBefore) {
    return purge(idle(mine), fastState(), gcBefore).isPresent();
  }

  /** Whether reads have looked into slow SSTables for more than merging them costs. */
  public boolean isMergeDue(Set<SSTableReader> mine) {
    List<Candidate<SSTableReader>> slow =
        inWindows(
            idle(mine).stream()
                .map(s -> Candidates.of(table, s, any -> false))
                .filter(c -> c.tier() == Tier.SLOW)
                .toList(),
            mine);
    return slow.size() > 1
        && slowTasks() == SlowTierLoad.NONE
        && picker.paidFor(slow, slowRoomBytes()).isPresent();
  }

  public boolean hasWindows() {
    return expired.isPresent();
  }

  /**
   * What is merged if an operator asks for all: of a table with windows each of these, and copies
   * not at all, which are merged as they come.
   */
  public Collection<List<SSTableReader>> mergedByRequest(List<SSTableReader> all) {
    if (all.isEmpty() || !hasWindows()) {
      return all.isEmpty() ? List.of() : List.of(all);
    }
    return inWindows(all.stream().map(s -> Candidates.of(table, s, any -> true)).toList(), all)
        .stream()
        .filter(c -> c.tier() == Tier.SLOW)
        .collect(
            Collectors.groupingBy(
                Candidate::windowMillis,
                TreeMap::new,
                Collectors.mapping(Candidate::table, Collectors.toList())))
        .values();
  }

  private List<SSTableReader> idle(Set<SSTableReader> mine) {
    List<SSTableReader> idle = new ArrayList<>();
    Predicate<SSTableReader> isUnsettled = unsettled();
    for (SSTableReader sstable : cfs.getUncompactingSSTables()) {
      if (mine.contains(sstable)
          && !sstable.isMarkedSuspect()
          && mayBeTaken(sstable)
          && !isUnsettled.test(sstable)) {
        idle.add(sstable);
      }
    }
    return idle;
  }

  /**
   * What a running task has just written to fast of a table whose slow disk is to be complete: that
   * it is a copy is known a moment after it is live. Until then it would be taken for rows that
   * slow lacks, and written there, be it in a merge with others.
   */
  private Predicate<SSTableReader> unsettled() {
    if (!hasFastTier() || !table.get().isCache()) {
      return sstable -> false;
    }
    TieredTable tiers = table.get();
    long sinceMillis = tiers.tasks().oldestStartMillis();
    Predicate<Descriptor> isCopy = Candidates.isCopy(table);
    return sstable ->
        sinceMillis < Long.MAX_VALUE
            && tiers.disks().tierOf(sstable.descriptor) == Tier.FAST
            && !isCopy.test(sstable.descriptor)
            && sstable.getDataCreationTime() >= sinceMillis;
  }

  /** To take an SSTable away is to write to its disk, too. */
  private boolean mayBeTaken(SSTableReader sstable) {
    return !hasFastTier()
        || table.get().fast().takesWrites()
        || table.get().disks().tierOf(sstable.descriptor) == Tier.SLOW;
  }

  /** Without a fast tier the question does not arise, and nothing must be held back. */
  private FastState fastState() {
    if (hasFastTier()) {
      return Candidates.fastState(table.get());
    }
    return new FastState(true, Long.MAX_VALUE, false, slowRoomBytes());
  }

  private long slowRoomBytes() {
    return table.map(tiers -> tiers.disks().slowRoomBytes()).orElse(0L);
  }
}
