/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.Sample;
import io.kasane.bench.lab.Trial;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.load.Mix;
import io.kasane.bench.report.Charts;
import io.kasane.bench.report.ResultFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The paper's Figures 9 to 13, and those that its authors left to others. */
final class TierFigures {
  private static final double FAST_SHARE = 0.10;
  private static final int SMOOTHED_SECONDS = 5;

  private final ResultFolder folder;

  TierFigures(ResultFolder folder) {
    this.folder = folder;
  }

  void draw() {
    for (double skew : skews()) {
      overTime(skew);
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
    shift();
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

  private List<Double> skews() {
    return paper().map(result -> result.trial().skew()).distinct().toList();
  }

  private void overTime(double skew) {
    List<Charts.Line> lines =
        paper()
            .filter(result -> result.trial().skew() == skew)
            .map(result -> line(result, sample -> sample.load().operationsPerSecond()))
            .toList();
    String file = "throughput-over-time-s%.2f.png".formatted(skew);
    String title = "Throughput over time, s = %.2f (Fig. 9, 10)".formatted(skew);
    Charts.lines(folder.figure(file, title), title, "seconds", "operations/s", lines);
  }

  private static Charts.Line line(TrialResult result, ToDoubleFunction<Sample> value) {
    List<Sample> samples = result.samples();
    int points = Math.max(1, samples.size() / SMOOTHED_SECONDS);
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      int end = Math.min(samples.size(), (i + 1) * SMOOTHED_SECONDS);
      List<Sample> some = samples.subList(i * SMOOTHED_SECONDS, end);
      x.add(some.stream().mapToDouble(s -> s.load().atSeconds()).average().orElseThrow());
      y.add(some.stream().mapToDouble(value).average().orElseThrow());
    }
    String name = result.trial().contestant().name();
    return new Charts.Line(name, color(name), isBound(result.trial()), x, y);
  }

  private static int color(String contestant) {
    List<String> names = TierExperiment.ALL.stream().map(one -> one.name()).toList();
    return names.indexOf(contestant);
  }

  /** Floor and ceilings are drawn differently: nobody could run them as they are. */
  private static boolean isBound(Trial trial) {
    String name = trial.contestant().name();
    return name.startsWith("all-") || name.equals("oracle");
  }

  private void bySystem(String file, String title, String y, ToDoubleFunction<TrialResult> value) {
    List<Charts.Bars> bars = new ArrayList<>();
    List<String> groups = skews().stream().map("s = %.2f"::formatted).toList();
    for (var one : TierExperiment.ALL) {
      List<Double> values = new ArrayList<>();
      for (double skew : skews()) {
        paper()
            .filter(result -> result.trial().skew() == skew)
            .filter(result -> result.trial().contestant().name().equals(one.name()))
            .mapToDouble(value)
            .forEach(values::add);
      }
      if (values.size() == groups.size()) {
        bars.add(new Charts.Bars(one.name(), color(one.name()), values));
      }
    }
    Charts.bars(folder.figure(file + ".png", title), title, y, groups, bars);
  }

  private void byMix() {
    List<Mix> mixes = List.of(Mix.WRITE_HEAVY, Mix.HALF, Mix.READ_HEAVY);
    List<Charts.Bars> bars = new ArrayList<>();
    for (var one : TierExperiment.ALL) {
      List<Double> values =
          mixes.stream()
              .flatMap(
                  mix ->
                      main()
                          .filter(result -> result.trial().mix().equals(mix))
                          .filter(result -> result.trial().skew() == 0.99)
                          .filter(result -> result.trial().fastShareOfData() == FAST_SHARE)
                          .filter(r -> r.trial().contestant().name().equals(one.name())))
              .map(TrialResult::throughput)
              .toList();
      if (values.size() == mixes.size()) {
        bars.add(new Charts.Bars(one.name(), color(one.name()), values));
      }
    }
    if (!bars.isEmpty()) {
      String title = "Mean throughput by reads/updates, s = 0.99";
      List<String> groups = mixes.stream().map(Mix::toString).toList();
      Charts.bars(folder.figure("mix.png", title), title, "operations/s", groups, bars);
    }
  }

  private void byFastShare() {
    List<Charts.Line> lines = new ArrayList<>();
    for (String name : List.of("heat", "oracle")) {
      List<TrialResult> results =
          main()
              .filter(result -> result.trial().skew() == 0.99)
              .filter(result -> result.trial().mix().equals(Mix.HALF))
              .filter(result -> result.trial().contestant().name().equals(name))
              .sorted(Comparator.comparingDouble(result -> result.trial().fastShareOfData()))
              .toList();
      if (results.size() > 1) {
        lines.add(
            new Charts.Line(
                name,
                color(name),
                isBound(results.get(0).trial()),
                results.stream().map(r -> r.trial().fastShareOfData() * 100).toList(),
                results.stream().map(TrialResult::steadyThroughput).toList()));
      }
    }
    if (!lines.isEmpty()) {
      String title = "Throughput in the last third by size of the fast disk, s = 0.99, 50/50";
      Charts.lines(
          folder.figure("fast-size.png", title),
          title,
          "fast disk, % of the data",
          "operations/s",
          lines);
    }
  }

  private void shift() {
    List<Charts.Line> lines =
        folder.results().stream()
            .filter(TierFigures::isShift)
            .map(result -> line(result, sample -> sample.load().operationsPerSecond()))
            .toList();
    if (!lines.isEmpty()) {
      String title = "Throughput when the hot set changes at half time, s = 0.99";
      Charts.lines(folder.figure("shift.png", title), title, "seconds", "operations/s", lines);
    }
  }
}
