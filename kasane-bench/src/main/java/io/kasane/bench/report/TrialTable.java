/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.report;

import io.kasane.bench.lab.TrialResult;
import java.util.List;
import java.util.Locale;

/** What trials measured, for people: a table of Markdown. */
final class TrialTable {
  private TrialTable() {}

  static String of(List<TrialResult> results) {
    StringBuilder table = new StringBuilder(TABLE_HEAD);
    results.forEach(result -> table.append(row(result)));
    table.append(LEGEND);
    results.stream()
        .filter(result -> result.refusedCompactions() > 0)
        .forEach(
            result ->
                table.append(
                    "\n**%s lacked room: Cassandra gave up or cut short %d compactions.**\n"
                        .formatted(result.trial().label(), result.refusedCompactions())));
    return table.toString();
  }

  private static final String TABLE_HEAD =
      "| system | keys | reads/updates | fast | ops/s | first minute | steady ops/s | limit | s to 90 % | read p50 ms |"
          + " p95 | p99 | p99.9 | from fast | first read | slow reads per read | slow SSTables per slow read | from memory | SSTables per read | of a hot key | written per"
          + " user byte | to slow | by compaction | slow busy | fast busy | cores node + client | wrong |"
          + " stale | failed |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      ops/s: answered operations per second over the whole run; steady: over its last third. limit: what a slow disk of
      these figures allows where the hottest rows fill the fast disk and memory for files, each read of another row is one
      request, and neither writes nor merges cost anything; the processor may be a lower one. s to 90 %: when ops/s
      (over five seconds) first reached 90 % of the steady value. from fast: share of the reads that touched an
      SSTable and needed none on the slow disk, in the last third (stock: share of disk reads). first read: share of the reads, in the last third, of rows that
      no client had read before: what has to come from where it was loaded. slow reads per read:
      requests that reached the slow disk per read of a client (real disks: all its read requests). slow SSTables per slow read: that a read looked into which looked into any, in the last third. from memory: share of clients' reads of files that
      needed no disk. SSTables per read: that a read looked into, in the last third; of a hot key: that
      hold a part of one of the hottest hundredth of the keys. written: bytes written to the data disks per replica and
      byte of updated fields. busy: share of the time that the disk worked. wrong: cells that were not what was written;
      stale: older than an acknowledged write, where one replica of several answers. -: nobody can tell.
      """;

  private static String row(TrialResult result) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %.0f %% | %,.0f | %,.0f | %,.0f | %s | %.0f | %.2f | %.1f | %.1f | %.1f | %s | %s | %s"
            + " | %s | %s | %.2f | %s | %s | %s | %s | %s | %s | %.2f + %.2f | %d | %d | %d |%n",
        result.trial().contestant().name(),
        result.trial().law().describe(),
        result.trial().mix(),
        result.trial().fastShareOfData() * 100,
        result.throughput(),
        result.firstMinuteThroughput(),
        result.steadyThroughput(),
        known("%,.0f", result.limit()),
        result.secondsTo90(),
        millis(result, 50),
        millis(result, 95),
        millis(result, 99),
        millis(result, 99.9),
        percent("%.1f", result.steadyFastReadShare()),
        percent("%.1f", result.steadyFirstReadShare()),
        known(result.slowReadsPerRead()),
        known(result.steadySlowLookUps()),
        percent("%.1f", result.memoryShare()),
        result.sstablesPerRead(),
        known(result.sstablesPerHotKey()),
        known(result.bytesWrittenPerUserByte()),
        known(result.slowBytesPerUserByte()),
        known(result.compactionBytesPerUserByte()),
        percent("%.0f", result.slowBusy()),
        percent("%.0f", result.fastBusy()),
        result.nodeCores(),
        result.clientCores(),
        result.wrongReads(),
        result.staleReads(),
        result.failedOperations());
  }

  private static double millis(TrialResult result, double percent) {
    return result.reads().getValueAtPercentile(percent) / 1e3;
  }

  private static String known(double value) {
    return known("%.2f", value);
  }

  private static String percent(String format, double share) {
    return known(format + " %%", share * 100);
  }

  private static String known(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
  }
}
