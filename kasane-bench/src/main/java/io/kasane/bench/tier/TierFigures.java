/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.TrialFigures;
import io.kasane.bench.report.TrialFolder;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The paper's Figures 9 to 13, and those that its authors left to others. */
final class TierFigures {
  private static final double FAST_SHARE = 0.10;
  private static final double SKEW = 0.99;
  private static final double MIB = 1 << 20;

  /** Floor and ceilings are drawn differently: nobody could run them as they are. */
  private static final Set<String> BOUNDS =
      Set.of("all-slow", "all-fast", "oracle", "oracle-same-disk");

  private final TrialFolder folder;
  private final TrialFigures figures;

  TierFigures(TrialFolder folder) {
    this.folder = folder;
    List<String> names = TierExperiment.names();
    this.figures = new TrialFigures(folder, names, BOUNDS);
  }

  void draw() {
    for (String keys : keys()) {
      List<TrialResult> alike =
          paper().filter(result -> result.trial().keys().equals(keys)).toList();
      overTime(
          "throughput-over-time-%s.png".formatted(alike.get(0).trial().keysInName()),
          "Throughput over time, %s (Fig. 9, 10)".formatted(keys),
          alike.stream());
      figures.overTime(
          "memory-over-time-%s.png".formatted(alike.get(0).trial().keysInName()),
          "Memory of the node's process over time, %s".formatted(keys),
          "MiB",
          alike,
          sample -> sample.memory().residentBytes() / MIB);
    }
    bySystem("throughput", "Mean throughput (Fig. 11)", "operations/s", TrialResult::throughput);
    bySystem(
        "steady", "Throughput in the last third", "operations/s", TrialResult::steadyThroughput);
    bySystem(
        "latency", "Mean read latency (Fig. 12)", "ms", result -> result.reads().getMean() / 1e3);
    bySystem(
        "fast-share",
        "Reads served from the fast disk, last third (Fig. 13)",
        "% of the reads that touched a disk",
        result -> result.steadyFastReadShare() * 100);
    bySystem(
        "written",
        "Bytes written to the data disks",
        "per byte of updated fields",
        TrialResult::bytesWrittenPerUserByte);
    byMix();
    byFastShare();
    overTime(
        "shift.png",
        "Throughput when the hot set changes at half time, s = 0.99",
        folder.results().stream().filter(TierFigures::isShift));
  }

  /** The law of the first trial: the paper's, or the one that was asked for. */
  private Stream<TrialResult> main() {
    String law = lawOf(folder.results().get(0));
    return folder.results().stream().filter(result -> lawOf(result).equals(law));
  }

  /** Without the exponent, which is an axis of its own. */
  private static String lawOf(TrialResult result) {
    return result.trial().law().describe().replaceAll("s=[0-9.]+", "s");
  }

  private static boolean isShift(TrialResult result) {
    return result.trial().law().describe().contains("shift");
  }

  private Stream<TrialResult> paper() {
    Mix mix = folder.results().get(0).trial().mix();
    return main()
        .filter(result -> result.trial().mix().equals(mix))
        .filter(result -> result.trial().fastShareOfData() == FAST_SHARE);
  }

  private List<String> keys() {
    return paper().map(result -> result.trial().keys()).distinct().toList();
  }

  private void overTime(String file, String title, Stream<TrialResult> trials) {
    figures.throughputOverTime(file, title, trials.toList());
  }

  private void bySystem(String file, String title, String y, ToDoubleFunction<TrialResult> value) {
    List<Predicate<TrialResult>> groups =
        keys().stream()
            .map(keys -> (Predicate<TrialResult>) result -> result.trial().keys().equals(keys))
            .toList();
    figures.bars(file + ".png", title, y, keys(), groups, paper().toList(), value);
  }

  private void byMix() {
    List<Mix> mixes = List.of(Mix.WRITE_HEAVY, Mix.HALF, Mix.READ_HEAVY);
    List<Predicate<TrialResult>> groups =
        mixes.stream()
            .map(mix -> (Predicate<TrialResult>) result -> result.trial().mix().equals(mix))
            .toList();
    figures.bars(
        "mix.png",
        "Mean throughput by reads/updates, s = 0.99",
        "operations/s",
        mixes.stream().map(Mix::toString).toList(),
        groups,
        main()
            .filter(result -> result.trial().skew() == SKEW)
            .filter(result -> result.trial().fastShareOfData() == FAST_SHARE)
            .toList(),
        TrialResult::throughput);
  }

  private void byFastShare() {
    figures.along(
        "fast-size.png",
        "Throughput in the last third by size of the fast disk, s = 0.99, 50/50",
        "fast disk, % of the data",
        "operations/s",
        main()
            .filter(result -> result.trial().skew() == SKEW)
            .filter(result -> result.trial().mix().equals(Mix.HALF))
            .sorted(Comparator.comparingDouble(result -> result.trial().fastShareOfData()))
            .toList(),
        result -> result.trial().fastShareOfData() * 100,
        TrialResult::steadyThroughput);
  }
}
