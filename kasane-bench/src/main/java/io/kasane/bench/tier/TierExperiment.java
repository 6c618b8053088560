/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.Contestant;
import io.kasane.bench.lab.Dataset;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.NodeRoots;
import io.kasane.bench.lab.Trial;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.load.Mix;
import io.kasane.bench.load.ScrambledZipf;
import io.kasane.bench.load.Shifted;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.TrialFolder;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Every contestant on the same disks, data and load, one after another. */
final class TierExperiment {
  static final List<Contestant> ALL =
      List.of(
          Contestant.ALL_SLOW,
          Contestant.STOCK,
          Contestant.FREE_SPACE,
          Contestant.FAST_FIRST,
          Contestant.PUBLISHED,
          Contestant.HEAT,
          Contestant.ORACLE,
          Contestant.ALL_FAST);

  /** Run only where they are named. */
  private static final List<Contestant> ON_REQUEST =
      List.of(Contestant.CACHE, Contestant.ORACLE_SAME_DISK, Contestant.ONE_DISK);

  private static final List<Contestant> MAIN =
      List.of(Contestant.STOCK, Contestant.FAST_FIRST, Contestant.HEAT, Contestant.ORACLE);

  /** The systems that are Kasane as a user runs it. */
  private static final Set<String> KASANE =
      Set.of(Contestant.HEAT.name(), Contestant.CACHE.name(), Contestant.ONE_DISK.name());

  private static final double FAST_SHARE = 0.10;
  private static final double[] SKEWS = {0.99, 0.90};
  private static final double[] FAST_SHARES = {0.02, 0.05, 0.20, 0.40};

  private final TierScale scale;
  private final DiskRig rig;
  private final long seed;
  private final Set<String> only;
  private final String keys;
  private final ZipfLaws zipf;
  private final Mix mix;
  private final Map<String, String> compaction;

  /**
   * An experiment.
   *
   * @param only names of the contestants to run; null for all
   * @param keys one law of keys to run instead of the scale's figures; null for these
   * @param mix of that one law
   * @param compaction options of {@code heat} and {@code cache} that differ from the defaults
   */
  TierExperiment(
      TierScale scale,
      DiskRig rig,
      long seed,
      Set<String> only,
      String keys,
      Mix mix,
      Map<String, String> compaction) {
    this.scale = scale;
    this.only = only;
    this.keys = keys;
    this.mix = mix;
    this.compaction = Map.copyOf(compaction);
    this.rig = rig;
    this.seed = seed;
    this.zipf = new ZipfLaws(scale.rows(), seed);
  }

  /** The trials, the paper's own first. */
  List<Trial> plan() {
    List<Trial> trials = keys == null ? figures() : oneLaw();
    if (only != null) {
      requireKnown(only);
      trials.removeIf(trial -> !only.contains(trial.contestant().name()));
    }
    if (!compaction.isEmpty()
        && trials.stream().noneMatch(trial -> KASANE.contains(trial.contestant().name()))) {
      throw new NodeException(
          "--option: is for heat and cache, and --only leaves out both; name one of them there");
    }
    return trials;
  }

  private List<Trial> oneLaw() {
    KeyLaw law = KeyLaws.parse(keys, scale.rows(), seed);
    double skew = KeyLaws.skewOf(keys);
    List<Trial> trials = new ArrayList<>();
    contestants().forEach(one -> trials.add(trial(one, law, skew, mix, FAST_SHARE)));
    return trials;
  }

  private List<Trial> figures() {
    List<Trial> trials = new ArrayList<>();
    for (double skew : SKEWS) {
      contestants()
          .forEach(one -> trials.add(trial(one, zipf.of(skew), skew, Mix.HALF, FAST_SHARE)));
    }
    if (scale.whole()) {
      addOpenQuestions(trials);
    }
    return trials;
  }

  /** What the paper's authors left to others. */
  private void addOpenQuestions(List<Trial> trials) {
    double skew = SKEWS[0];
    for (Mix other : List.of(Mix.READ_HEAVY, Mix.WRITE_HEAVY)) {
      MAIN.forEach(one -> trials.add(trial(one, zipf.of(skew), skew, other, FAST_SHARE)));
    }
    for (double share : FAST_SHARES) {
      for (Contestant one : List.of(Contestant.HEAT, Contestant.ORACLE)) {
        trials.add(trial(one, zipf.of(skew), skew, Mix.HALF, share));
      }
    }
    KeyLaw shifting = new Shifted(zipf.of(skew), scale.rows(), 0.5);
    for (Contestant one : List.of(Contestant.STOCK, Contestant.FAST_FIRST, Contestant.HEAT)) {
      trials.add(trial(one, shifting, skew, Mix.HALF, FAST_SHARE));
    }
    KeyLaw scrambled = new ScrambledZipf(scale.rows(), skew, seed);
    MAIN.forEach(one -> trials.add(trial(one, scrambled, skew, Mix.HALF, FAST_SHARE)));
  }

  private List<Contestant> contestants() {
    return only == null ? ALL : everyone(scale.dataBytes()).toList();
  }

  private static Stream<Contestant> everyone(long dataBytes) {
    return Stream.of(ALL, Contestant.tunedStock(dataBytes), ON_REQUEST).flatMap(List::stream);
  }

  /** The names of all systems, in the order of their bars. */
  static List<String> names() {
    return everyone(0).map(Contestant::name).toList();
  }

  private static void requireKnown(Set<String> names) {
    List<String> known = names();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new NodeException("--only: '" + name + "' is none of " + String.join(", ", known));
      }
    }
  }

  private Trial trial(Contestant one, KeyLaw law, double skew, Mix mix, double fastShare) {
    Contestant scaled = sized(one);
    if (KASANE.contains(one.name())) {
      for (Map.Entry<String, String> option : compaction.entrySet()) {
        scaled = scaled.with(option.getKey(), option.getValue());
      }
    }
    return new Trial(
        scaled, law, skew, mix, fastShare, scale.machine(), Duration.ZERO, scale.duration(), seed);
  }

  /** Small SSTables are a notion of size-tiered strategies. */
  private Contestant sized(Contestant one) {
    return Contestant.tunedStock(0).stream().anyMatch(tuned -> tuned.name().equals(one.name()))
        ? one
        : one.with("min_sstable_size", Long.toString(scale.smallBytes()));
  }

  /** Runs all trials and draws the figures. */
  void run(Distribution distribution, NodeRoots roots, TrialFolder folder, Progress progress)
      throws IOException, InterruptedException {
    Dataset dataset = new Dataset(distribution, roots, scale.rows(), 1, progress::say);
    for (Trial trial : plan()) {
      progress.begin(trial.label());
      TrialResult result = trial.run(dataset, rig, folder.filesOfNext(trial), progress::say);
      folder.add(result);
      progress.end(
          String.format(
              Locale.ROOT,
              "%,.0f ops/s (steady %,.0f of at most %,.0f), %.0f %% from fast, read p50 %.1f ms,"
                  + " %d wrong",
              result.throughput(),
              result.steadyThroughput(),
              result.limit(),
              result.steadyFastReadShare() * 100,
              result.reads().getValueAtPercentile(50) / 1e3,
              result.wrongReads()));
    }
    new TierFigures(folder).draw();
    folder.writeSummary();
  }
}
