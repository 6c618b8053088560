/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.TrialResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of an experiment for people: {@code README.md} of its folder. */
final class SummaryPage {
  private SummaryPage() {}

  static String of(Facts facts, List<TrialResult> results, Map<String, String> pictures) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(facts.experiment()).append(", scale ").append(facts.scale());
    page.append("\n\n`").append(facts.command()).append("`\n\n");
    page.append("Began ").append(facts.began()).append(", revision ").append(facts.revision());
    page.append(".\n\nDisks: ").append(facts.disks()).append(".\n\nMachine: ");
    page.append(String.join(", ", facts.machine().values())).append(".\n\n");
    pictures.forEach(
        (file, title) ->
            page.append("![").append(title).append("](figures/").append(file).append(")\n\n"));
    page.append(TABLE_HEAD);
    results.forEach(result -> page.append(row(result)));
    page.append(LEGEND);
    return page.toString();
  }

  private static final String TABLE_HEAD =
      "| system | keys | reads/updates | fast | ops/s | steady ops/s | s to 90 % | read p50 ms |"
          + " p95 | p99 | p99.9 | from fast | slow reads per read | SSTables per read | written per"
          + " user byte | by compaction | slow busy | fast busy | cores node + client | wrong |"
          + " failed |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      ops/s: answered operations per second over the whole run; steady: over its last third. s to 90 %: when ops/s
      (over five seconds) first reached 90 % of the steady value. from fast: share of the reads that touched an
      SSTable and needed none on the slow disk, in the last third (stock: share of disk reads). slow reads per read:
      requests that reached the slow disk per read of a client. written: bytes written to the data disks per byte
      of updated fields. busy: share of the time that the disk worked. wrong: cells that were not what was written.
      """;

  private static String row(TrialResult result) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %.0f %% | %,.0f | %,.0f | %.0f | %.2f | %.1f | %.1f | %.1f | %.1f %% | %s"
            + " | %.2f | %s | %s | %.0f %% | %.0f %% | %.2f + %.2f | %d | %d |%n",
        result.trial().contestant().name(),
        result.trial().law().describe(),
        result.trial().mix(),
        result.trial().fastShareOfData() * 100,
        result.throughput(),
        result.steadyThroughput(),
        result.secondsTo90(),
        millis(result, 50),
        millis(result, 95),
        millis(result, 99),
        millis(result, 99.9),
        result.steadyFastReadShare() * 100,
        known(result.slowReadsPerRead()),
        result.sstablesPerRead(),
        known(result.bytesWrittenPerUserByte()),
        known(result.compactionBytesPerUserByte()),
        result.slowBusy() * 100,
        result.fastBusy() * 100,
        result.nodeCores(),
        result.clientCores(),
        result.wrongReads(),
        result.failedOperations());
  }

  private static double millis(TrialResult result, double percent) {
    return result.reads().getValueAtPercentile(percent) / 1e3;
  }

  private static String known(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "-";
  }
}
