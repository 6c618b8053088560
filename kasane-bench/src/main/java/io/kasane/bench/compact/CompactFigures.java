/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import io.kasane.bench.lab.Sample;
import io.kasane.bench.lab.TrialResult;
import io.kasane.bench.report.TrialFigures;
import io.kasane.bench.report.TrialFolder;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The paper's Figures 6 to 14, and its open question: what does memory do to them? */
final class CompactFigures {
  private final TrialFolder folder;
  private final TrialFigures figures;

  CompactFigures(TrialFolder folder) {
    this.folder = folder;
    this.figures =
        new TrialFigures(folder, CompactExperiment.NAMES, Set.of(CompactExperiment.NO_FLUSH));
  }

  void draw() {
    for (double skew : paper().stream().map(r -> r.trial().skew()).distinct().toList()) {
      overTime(
          skew,
          "throughput",
          "Throughput over time",
          "operations/s",
          sample -> sample.load().operationsPerSecond());
      overTime(
          skew,
          "sstables",
          "SSTables per read over time",
          "SSTables per read",
          Sample::sstablesPerRead);
      overTime(
          skew,
          "latency",
          "Read latency over time",
          "ms, mean",
          sample -> sample.load().reads().meanMicros() / 1e3);
    }
    bySkew(
        "throughput", "Mean throughput (Fig. 6, 9, 12)", "operations/s", TrialResult::throughput);
    bySkew(
        "sstables",
        "SSTables per read, last third (Fig. 7, 10, 13)",
        "SSTables",
        TrialResult::sstablesPerRead);
    bySkew(
        "hot-sstables",
        "SSTables of one node that hold a hot key, last third",
        "SSTables",
        TrialResult::sstablesPerHotKey);
    bySkew(
        "latency",
        "Mean read latency (Fig. 8, 11, 14)",
        "ms",
        result -> result.reads().getMean() / 1e3);
    bySkew(
        "written",
        "Bytes written to a node's disk",
        "per byte of updated fields",
        TrialResult::bytesWrittenPerUserByte);
    byMemory();
  }

  /** The trials with the paper's memory. */
  private List<TrialResult> paper() {
    int cacheMib = folder.results().get(0).trial().machine().cacheMib();
    return folder.results().stream()
        .filter(result -> result.trial().machine().cacheMib() == cacheMib)
        .toList();
  }

  private void overTime(
      double skew, String file, String title, String y, ToDoubleFunction<Sample> value) {
    figures.overTime(
        "%s-over-time-s%.2f.png".formatted(file, skew),
        "%s, s = %.2f".formatted(title, skew),
        y,
        paper().stream().filter(result -> result.trial().skew() == skew).toList(),
        value);
  }

  private void bySkew(String file, String title, String y, ToDoubleFunction<TrialResult> value) {
    List<Double> skews = paper().stream().map(r -> r.trial().skew()).distinct().toList();
    List<Predicate<TrialResult>> groups =
        skews.stream()
            .map(skew -> (Predicate<TrialResult>) result -> result.trial().skew() == skew)
            .toList();
    List<String> names = skews.stream().map("s = %.2f"::formatted).toList();
    figures.bars(file + ".png", title, y, names, groups, paper(), value);
  }

  private void byMemory() {
    List<TrialResult> trials =
        folder.results().stream()
            .filter(result -> result.trial().skew() == CompactExperiment.MEMORY_SKEW)
            .sorted(Comparator.comparingInt(result -> result.trial().machine().cacheMib()))
            .toList();
    figures.along(
        "memory.png",
        "Mean throughput by memory for files, s = %.2f".formatted(CompactExperiment.MEMORY_SKEW),
        "MiB of memory for the files of a node",
        "operations/s",
        trials,
        result -> result.trial().machine().cacheMib(),
        TrialResult::throughput);
  }
}
