/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

import io.kasane.copies.skipindex.SkipIndex;
import io.kasane.copies.skipindex.SortedTokenSet;
import io.kasane.copies.sstables.Tier;
import io.kasane.tier.control.FlushNeed;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.FastState;
import io.kasane.tier.pick.Pick;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.pick.SizeBuckets;
import io.kasane.tier.pick.SlowDiskPrice;
import io.kasane.tier.pick.SlowTierLoad;
import io.kasane.tier.pick.SlowTierSlots;
import io.kasane.tier.pick.TierPicker;
import io.kasane.tier.quota.FastCapacity;
import io.kasane.tier.sstables.FastShards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.dht.Murmur3Partitioner;

/**
 * A table by its metadata, on a virtual clock. Flushes, promotions and compactions make and take
 * SSTables; what is compacted, how fast is cut into shards, how much stays free on it and which
 * SSTables are copies is asked of the classes that a node asks. What a node learns from reads is
 * computed from how many rows of each class lie where.
 */
final class SimTable implements AutoCloseable {
  static final double ROW_BYTES = 1024;
  private static final double MIB = 1 << 20;

  /** Of all compactions together: Cassandra's default. */
  private static final double COMPACTION_BYTES_PER_SECOND = 64 * MIB;

  private static final int COMPACTORS = Integer.getInteger("kasane.sim.compactors", 2);

  /** As {@code Promoter} has it. */
  private static final int MAX_SSTABLES_PER_SHARD = 32;

  /** A task opens, syncs and renames files, however small its SSTables are. */
  private static final double TASK_SECONDS = 0.1;

  final SimLoad load;
  final Popularity popularity;
  final FastShards shards;
  final Set<SimSSTable> live = new LinkedHashSet<>();
  final SimFigures figures = new SimFigures();
  private final double[] hotShare;
  private final double[] hotRows = new double[Popularity.CLASSES];

  /** How many of the hot rows fast has, wherever there. */
  private final double[] hotOnFast = new double[Popularity.CLASSES];

  private final TierPicker picker;
  private final FlushNeed flushes = new FlushNeed(this::nanos);
  private final List<Task> running = new ArrayList<>();
  private final RunningTasks tasks = new RunningTasks(new SlowTierSlots(() -> COMPACTORS));
  private final SkipIndex<Set<SimSSTable>, SimSSTable> skipIndex;
  private Set<SimSSTable> moment = Set.of();
  private double seconds;

  private static final class Task {
    final Pick<SimSSTable> pick;
    final RunningTasks.Entry entry;
    final double began;
    final double endsAt;

    /** Of slow's rows, what it has, by class. */
    final double[] share;

    Task(
        Pick<SimSSTable> pick,
        RunningTasks.Entry entry,
        double began,
        double endsAt,
        double[] share) {
      this.pick = pick;
      this.entry = entry;
      this.began = began;
      this.endsAt = endsAt;
      this.share = share;
    }
  }

  SimTable(SimLoad load) {
    this.load = load;
    this.shards = new FastShards(Murmur3Partitioner.instance, load.fastBytes(), load.fastBytes());
    this.popularity = new Popularity(load.slowBytes() / ROW_BYTES, load.zipf());
    this.hotShare = popularity.hotShare(load.fill(shards.fill()) * load.fastBytes() / ROW_BYTES);
    for (int i = 0; i < hotRows.length; i++) {
      hotRows[i] = hotShare[i] * popularity.rows[i];
    }
    this.picker =
        new TierPicker(
            new PickerOptions(
                new PickerOptions.Thresholds(4, 0, 32),
                new SizeBuckets(0.5, 1.5, (long) (50 * MIB)),
                new SlowDiskPrice((long) MIB, 1),
                new PickerOptions.Moves(true, true, false, false)));
    this.skipIndex = new SkipIndex<>(() -> 1L << 40, () -> moment, same -> same, Optional.empty());
    for (int i = 0; i < load.loadedSSTables(); i++) {
      double share = 1.0 / load.loadedSSTables();
      live.add(
          new SimSSTable(
              Tier.SLOW, false, 0, times(hotRows, share), times(coldOf(popularity.rows), share)));
    }
    changed();
  }

  private long nanos() {
    return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  private static double[] times(double[] values, double factor) {
    double[] all = values.clone();
    for (int i = 0; i < all.length; i++) {
      all[i] *= factor;
    }
    return all;
  }

  private double[] hotOf(double[] rows) {
    double[] some = rows.clone();
    for (int i = 0; i < some.length; i++) {
      some[i] *= hotShare[i];
    }
    return some;
  }

  private double[] coldOf(double[] rows) {
    double[] some = rows.clone();
    for (int i = 0; i < some.length; i++) {
      some[i] *= 1 - hotShare[i];
    }
    return some;
  }

  private void changed() {
    moment = Set.copyOf(live);
    long began = System.nanoTime();
    skipIndex.contains(live.iterator().next(), 0);
    figures.looked(System.nanoTime() - began);
  }

  // Time passes.

  /** Some seconds: reads, what they bring to fast, and what has ended meanwhile. */
  void pass(double step) {
    double end = seconds + step;
    for (Optional<Task> next = firstToEnd(end); next.isPresent(); next = firstToEnd(end)) {
      running.remove(next.get());
      tasks.end(next.get().entry);
      seconds = next.get().endsAt;
      complete(next.get());
      compact();
    }
    seconds = end;
    read(step);
    promote(step);
    cool(step);
    compact();
  }

  private Optional<Task> firstToEnd(double end) {
    return running.stream()
        .filter(task -> task.endsAt <= end)
        .min(Comparator.comparingDouble(task -> task.endsAt));
  }

  /** Hot rows are read from fast if they are there, all others from slow SSTables. */
  private void read(double step) {
    double reads = load.readsPerSecond() * step;
    List<SimSSTable> slow = of(Tier.SLOW);
    slow.sort((a, b) -> Long.compare(a.bytes(), b.bytes()));
    double[] smaller = new double[Popularity.CLASSES];
    double fromFast = 0;
    for (int i = 0; i < Popularity.CLASSES; i++) {
      fromFast += reads * popularity.chance[i] * Math.min(hotRows[i], hotOnFast[i]);
    }
    figures.read(reads, fromFast);
    for (SimSSTable sstable : slow) {
      for (int i = 0; i < Popularity.CLASSES; i++) {
        double cold = popularity.rows[i] - hotRows[i];
        double missing = hotRows[i] == 0 ? 0 : Math.max(0, 1 - hotOnFast[i] / hotRows[i]);
        double coldReads = reads * popularity.chance[i] * sstable.coldRows[i];
        double hotReads = reads * popularity.chance[i] * sstable.hotRows[i] * missing;
        double inSmaller = cold <= 0 ? 0 : Math.min(1, smaller[i] / cold);
        sstable.reads += coldReads + hotReads;
        sstable.misplacedReads += hotReads;
        sstable.wastedLookUps += (1 - load.cached()) * coldReads * inSmaller;
        smaller[i] += sstable.coldRows[i];
      }
    }
    for (SimSSTable fast : of(Tier.FAST)) {
      for (int i = 0; i < Popularity.CLASSES; i++) {
        fast.reads += reads * popularity.chance[i] * fast.hotRows[i];
      }
    }
  }

  /** Hot rows that were read from slow are copied: an SSTable a shard that has any. */
  private void promote(double step) {
    double[] copied = new double[Popularity.CLASSES];
    for (int i = 0; i < Popularity.CLASSES; i++) {
      double read = -Math.expm1(-load.readsPerSecond() * step * popularity.chance[i]);
      copied[i] = Math.max(0, hotRows[i] - hotOnFast[i]) * read;
    }
    double rows = Math.min(Popularity.sum(copied), load.promotedRowsPerSecond() * step);
    long bytes = (long) (rows * ROW_BYTES);
    if (rows < 1 || of(Tier.FAST).size() > MAX_SSTABLES_PER_SHARD * shards.count()) {
      return;
    }
    if (spareBytes() + copiesBytes() < bytes) {
      return;
    }
    copied = times(copied, rows / Popularity.sum(copied));
    int written = (int) Math.min(shards.count(), Math.ceil(rows));
    Set<SimSSTable> copies = new HashSet<>();
    for (int shard = 0; shard < written; shard++) {
      double[] none = new double[Popularity.CLASSES];
      copies.add(
          new SimSSTable(
              Tier.FAST,
              true,
              shard * shards.count() / written,
              times(copied, 1.0 / written),
              none));
    }
    live.addAll(copies);
    changed();
    Map<SimSSTable, SortedTokenSet> sources = new HashMap<>();
    of(Tier.SLOW).forEach(slow -> sources.put(slow, SortedTokenSet.of()));
    skipIndex.add(sources, copies);
    for (int i = 0; i < Popularity.CLASSES; i++) {
      hotOnFast[i] += copied[i];
    }
    figures.wrote(Tier.FAST, bytes);
    figures.promoted(written, rows);
  }

  /** Some hot rows cool, and as many others become hot; they change places on slow. */
  private void cool(double step) {
    double share = load.coolingPerDay() * step / TimeUnit.DAYS.toSeconds(1);
    for (int i = 0; i < Popularity.CLASSES; i++) {
      hotOnFast[i] *= 1 - share;
    }
    for (SimSSTable fast : of(Tier.FAST)) {
      for (int i = 0; i < Popularity.CLASSES; i++) {
        fast.coldRows[i] += share * fast.hotRows[i];
        fast.hotRows[i] *= 1 - share;
      }
    }
  }

  /** A memtable is full. */
  void flush() {
    double[] rows = popularity.distinct(load.memtableBytes() / ROW_BYTES);
    double[] hot = hotOf(rows);
    long hotBytes = (long) (Popularity.sum(hot) * ROW_BYTES);
    live.add(new SimSSTable(Tier.SLOW, false, 0, new double[Popularity.CLASSES], coldOf(rows)));
    boolean refused = spareBytes() + copiesBytes() + flushBytes() < hotBytes;
    if (refused) {
      flushes.refused(load.fastBytes());
      live.add(new SimSSTable(Tier.SLOW, true, 0, hot, new double[Popularity.CLASSES]));
      figures.refused();
    } else {
      flushes.flushed(hotBytes, load.fastBytes());
      for (int i = 0; i < Popularity.CLASSES; i++) {
        double absent = hotRows[i] <= 0 ? 0 : 1 - hotOnFast[i] / hotRows[i];
        hotOnFast[i] += hot[i] * Math.max(0, absent);
      }
      for (int shard = 0; shard < shards.count(); shard++) {
        live.add(
            new SimSSTable(
                Tier.FAST,
                true,
                shard,
                times(hot, 1.0 / shards.count()),
                new double[Popularity.CLASSES]));
      }
    }
    figures.wrote(refused ? Tier.SLOW : Tier.FAST, hotBytes);
    figures.wrote(Tier.SLOW, (long) (Popularity.sum(coldOf(rows)) * ROW_BYTES));
    changed();
    compact();
  }

  // Compaction.

  private void compact() {
    while (running.size() < COMPACTORS) {
      Set<SimSSTable> busy = new HashSet<>();
      running.forEach(task -> busy.addAll(task.pick.tables()));
      SlowTierLoad slowTasks = tasks.slowTasks();
      FastState fast = fastState();
      long began = System.nanoTime();
      Set<SimSSTable> copies = skipIndex.copies();
      long copiesNanos = System.nanoTime() - began;
      List<Candidate<SimSSTable>> candidates = new ArrayList<>();
      for (SimSSTable one : live) {
        if (!busy.contains(one)) {
          candidates.add(candidate(one, copies.contains(one)));
        }
      }
      began = System.nanoTime();
      Optional<Pick<SimSSTable>> pick = picker.pick(candidates, slowTasks, fast, running.isEmpty());
      picker.pending(candidates);
      figures.picked(copiesNanos + System.nanoTime() - began, live.size());
      if (pick.isEmpty()) {
        return;
      }
      double bytes = pick.get().tables().stream().mapToLong(SimSSTable::bytes).sum();
      double takes = TASK_SECONDS + bytes / (COMPACTION_BYTES_PER_SECOND / COMPACTORS);
      RunningTasks.Entry entry = tasks.begin(pick.get().kind(), List.of(), 0);
      double[] share = shareOfSlow(Set.copyOf(pick.get().tables()));
      running.add(new Task(pick.get(), entry, seconds, seconds + takes, share));
    }
  }

  private double[] shareOfSlow(Set<SimSSTable> some) {
    double[] share = new double[Popularity.CLASSES];
    double[] all = new double[Popularity.CLASSES];
    for (SimSSTable slow : of(Tier.SLOW)) {
      for (int i = 0; i < all.length; i++) {
        double rows = slow.hotRows[i] + slow.coldRows[i];
        all[i] += rows;
        share[i] += some.contains(slow) ? rows : 0;
      }
    }
    for (int i = 0; i < all.length; i++) {
      share[i] = all[i] <= 0 ? 0 : share[i] / all[i];
    }
    return share;
  }

  private static Candidate<SimSSTable> candidate(SimSSTable one, boolean isCopy) {
    return new Candidate<>(
        one,
        one.tier,
        one.hot,
        isCopy,
        one.shard,
        one.bytes(),
        (long) one.rows(),
        (long) one.reads,
        (long) one.misplacedReads,
        (long) one.wastedLookUps);
  }

  /** What a compaction makes of its inputs, and where. */
  private void complete(Task task) {
    List<SimSSTable> inputs = task.pick.tables();
    boolean fromFast = inputs.stream().allMatch(one -> one.tier == Tier.FAST);
    boolean copiesOnly = fromFast && skipIndex.sourcesOf(inputs).isPresent();
    double population = fromFast ? 1.0 / shards.count() : 1;
    double[] hot = union(inputs.stream().map(one -> one.hotRows).toList(), hotRows, population);
    double[] cold =
        union(inputs.stream().map(one -> one.coldRows).toList(), popularity.rows, population);
    if (fromFast && isWholeShard(inputs)) {
      hot = times(hotOnFast, population); // copies are of rows that others do not have
    }
    List<SimSSTable> outputs = new ArrayList<>();
    double[] none = new double[Popularity.CLASSES];
    double dropped = 0;
    if (fromFast) {
      // What cooled leaves where its place is needed.
      boolean stays = fastState().hasRoom();
      outputs.add(new SimSSTable(Tier.FAST, true, inputs.get(0).shard, hot, stays ? cold : none));
      if (!stays && copiesOnly) {
        dropped = Popularity.sum(cold);
      } else if (!stays && Popularity.sum(cold) >= 1) {
        outputs.add(new SimSSTable(Tier.SLOW, false, 0, none, cold));
      }
    } else {
      // Rows that reads leave out stay on slow; others that are hot are promoted by reads.
      boolean areHot = inputs.stream().allMatch(one -> one.hot);
      outputs.add(new SimSSTable(Tier.SLOW, areHot, 0, hot, cold));
      forgetCopiesOf(task);
    }
    skipIndex.announce(
        inputs, outputs, dropped >= 1 ? SortedTokenSet.of(1) : SortedTokenSet.of(), copiesOnly);
    live.addAll(outputs);
    inputs.forEach(live::remove);
    changed();
    skipIndex.settled(inputs);
    for (SimSSTable output : outputs) {
      figures.wrote(output.tier, output.bytes());
    }
    figures.compacted(seconds - task.began, task.pick.kind());
    if (figures.compactions() % 64 == 0) {
      skipIndex.retain(moment, token -> true);
    }
  }

  /**
   * What became hot when the compaction had passed it, half of what did meanwhile, may have been
   * copied from its inputs; reads look into its output all the same.
   */
  private void forgetCopiesOf(Task task) {
    double days = (seconds - task.began) / TimeUnit.DAYS.toSeconds(1);
    double becameHot = -Math.expm1(-load.coolingPerDay() * days);
    for (int i = 0; i < Popularity.CLASSES; i++) {
      hotOnFast[i] *= 1 - becameHot / 2 * task.share[i];
    }
  }

  private boolean isWholeShard(List<SimSSTable> inputs) {
    int shard = inputs.get(0).shard;
    return of(Tier.FAST).stream().filter(one -> one.shard == shard).count() == inputs.size();
  }

  /** Rows that lie in some SSTables by chance, each once. */
  private static double[] union(List<double[]> parts, double[] rows, double population) {
    double[] all = new double[Popularity.CLASSES];
    for (int i = 0; i < all.length; i++) {
      double of = rows[i] * population;
      double absent = 1;
      for (double[] part : parts) {
        absent *= of <= 0 ? 1 : 1 - Math.min(1, part[i] / of);
      }
      all[i] = of * (1 - absent);
    }
    return all;
  }

  // Room on fast, as FastCapacity reckons it.

  List<SimSSTable> of(Tier tier) {
    List<SimSSTable> some = new ArrayList<>();
    for (SimSSTable one : live) {
      if (one.tier == tier) {
        some.add(one);
      }
    }
    return some;
  }

  long bytes(Tier tier) {
    return bytes(of(tier));
  }

  private static long bytes(Collection<SimSSTable> some) {
    return some.stream().mapToLong(SimSSTable::bytes).sum();
  }

  private long roomBytes() {
    long reserved = 0;
    for (Task task : running) {
      reserved += bytes(task.pick.tables().stream().filter(s -> s.tier == Tier.FAST).toList());
    }
    return load.fastBytes() - bytes(Tier.FAST) - reserved;
  }

  private long flushBytes() {
    return flushes.roomBytes(load.fastBytes());
  }

  private long copiesBytes() {
    return (long) (FastCapacity.copiesShare(shards.count()) * load.fastBytes());
  }

  private long spareBytes() {
    long[] byShard = new long[shards.count()];
    of(Tier.FAST).forEach(one -> byShard[one.shard] += one.bytes());
    long largest = Arrays.stream(byShard).max().orElse(0);
    long full = (load.fastBytes() - flushBytes()) / (shards.count() + 1);
    return roomBytes() - Math.max(largest, full) - flushBytes() - copiesBytes();
  }

  private FastState fastState() {
    double coldBytes = 0;
    for (SimSSTable fast : of(Tier.FAST)) {
      coldBytes += ROW_BYTES * Popularity.sum(fast.coldRows);
    }
    return new FastState(
        spareBytes() > 0,
        roomBytes(),
        coldBytes > 0.05 * load.fastBytes(),
        (long) (2 * load.slowBytes() - bytes(Tier.SLOW)));
  }

  @Override
  public void close() {
    skipIndex.close();
  }
}
