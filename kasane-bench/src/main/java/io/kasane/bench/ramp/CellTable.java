/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.system.Systems;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** What cells measured, for people: tables of Markdown. */
final class CellTable {
  private static final String HEAD =
      "| system | transactions/s | read mean ms | p50 | p95 | p99 | write mean ms | p50 | p95 | p99"
          + " | rounds per read | second round | halves | of reads | failed | versions a key"
          + " | bytes a key | load |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String BESIDE_PLAIN =
      "\n| latency, times that of `none` | read mean | p50 | write mean | p50 |\n|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      Each transaction reads or writes its keys, drawn anew. second round: share of the reads that asked the store more
      than once. halves: reads that showed a key as a transaction left it and another key of that transaction as it was
      before, decided from what was read (every value carries its writer and the writer's keys). versions a key: rows on a node, the
      committed version and the prepared ones that are not collected yet. bytes a key: of the table's files on one node after a flush,
      compressed, before it compacts. load: the machine's average of the last minute.
      `lwt` writes one key after the other, each on its own condition, and its reads are single reads at level SERIAL: no transaction.
      `unlogged-batch` reads with one query of many partitions, all others key by key at once.
      """;

  private CellTable() {}

  static String of(List<CellResult> results, List<Cell> leftOut) {
    StringBuilder text = new StringBuilder();
    for (Shape shape : results.stream().map(result -> result.cell().shape()).distinct().toList()) {
      text.append("\n## ").append(shape.describe()).append("\n\n").append(HEAD);
      results.stream()
          .filter(result -> result.cell().shape().equals(shape))
          .forEach(result -> text.append(row(result)));
      text.append(besidePlain(results, shape));
    }
    text.append(LEGEND);
    for (Cell cell : leftOut) {
      text.append("\nLeft out: ")
          .append(cell.label())
          .append(": ")
          .append(cell.whyLeftOut().orElseThrow())
          .append(".\n");
    }
    results.stream()
        .filter(result -> result.run().firstFailure() != null)
        .forEach(
            result ->
                text.append(
                    "\nFirst failure of %s: %s\n"
                        .formatted(result.cell().label(), result.run().firstFailure())));
    return text.toString();
  }

  /** How many times the latency of plain requests for the same keys; empty where none were run. */
  private static String besidePlain(List<CellResult> results, Shape shape) {
    List<CellResult> own =
        results.stream().filter(result -> result.cell().shape().equals(shape)).toList();
    Optional<RunResult> plain =
        own.stream()
            .filter(result -> result.cell().system().equals(Systems.NONE))
            .map(CellResult::run)
            .findFirst();
    if (plain.isEmpty() || own.size() < 2) {
      return "";
    }
    StringBuilder text = new StringBuilder(BESIDE_PLAIN);
    for (CellResult result : own) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s |%n",
              result.cell().system(),
              ratios(result.run().readTimes(), plain.get().readTimes()),
              ratios(result.run().writeTimes(), plain.get().writeTimes())));
    }
    return text.toString();
  }

  private static String ratios(Histogram times, Histogram plain) {
    if (times.getTotalCount() == 0 || plain.getTotalCount() == 0) {
      return "- | -";
    }
    return String.format(
        Locale.ROOT,
        "%.2f | %.2f",
        times.getMean() / plain.getMean(),
        times.getValueAtPercentile(50) / (double) plain.getValueAtPercentile(50));
  }

  private static String row(CellResult result) {
    RunResult run = result.run();
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %s | %s | %s | %s | %d | %,d | %d | %.1f | %,.0f | %.1f |%n",
        result.cell().system(),
        run.throughput(),
        times(run.readTimes()),
        times(run.writeTimes()),
        run.reads() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", run.roundsPerRead()),
        run.reads() == 0
            ? "-"
            : String.format(Locale.ROOT, "%.1f %%", run.secondRoundShare() * 100),
        run.fracturedReads(),
        run.reads(),
        run.failed(),
        result.versionsPerKey(),
        result.bytesPerKey(),
        result.loadAverage());
  }

  private static String times(Histogram times) {
    if (times.getTotalCount() == 0) {
      return "- | - | - | -";
    }
    return String.format(
        Locale.ROOT,
        "%.2f | %.2f | %.2f | %.2f",
        times.getMean() / 1e6,
        times.getValueAtPercentile(50) / 1e6,
        times.getValueAtPercentile(95) / 1e6,
        times.getValueAtPercentile(99) / 1e6);
  }
}
