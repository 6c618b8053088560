/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import java.util.List;
import java.util.Locale;

/** What was measured, for people: a table of Markdown. */
final class WindowsTable {
  private static final String HEAD =
      "| system | reads/s | newest mean ms | p99 | old mean ms | p99 | from fast | slow requests a"
          + " read | rows written/s | to slow a byte | to fast a byte | MB on slow, mean | most |"
          + " most on fast | SSTables | cores | wrong | failed |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      reads: of the newest %d rows of a partition, 90 of 100 of the minute that is written, the others of those before; as many as
      %d readers get answered. to slow, to fast a byte: bytes that were written to the disk, by anyone, a byte of the rows that were
      written meanwhile. MB on slow: what the table's files took, second by second. wrong: an acknowledged row was missing, or
      another one seen. All old windows are there when the load begins; one expires each minute.
      """;

  private WindowsTable() {}

  static String of(List<WindowsEntry> entries, WindowsScale scale) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "## %,d rows of 1 KB a second, which live %d minutes, in windows of one%n%n",
            scale.rowsPerSecond(),
            scale.liveMinutes()));
    text.append(
        String.format(
            Locale.ROOT,
            "%,d MB live; fast disk %,d MB, memory for files %d MiB.%n%n",
            scale.liveBytes() / 1_000_000,
            scale.fastBytes() / 1_000_000,
            scale.cacheMib()));
    text.append(HEAD);
    entries.forEach(entry -> text.append(row(entry)));
    text.append(LEGEND.formatted(Readings.READ_ROWS, scale.readers()));
    entries.stream()
        .filter(entry -> entry.firstProblem() != null)
        .forEach(
            entry ->
                text.append("\nFirst problem of ")
                    .append(entry.name())
                    .append(": ")
                    .append(entry.firstProblem())
                    .append("\n"));
    return text.toString();
  }

  private static String row(WindowsEntry entry) {
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %.1f | %.1f | %.1f | %.1f | %s | %.2f | %.0f | %.2f | %.2f | %,.0f | %,.0f |"
            + " %,.0f | %d | %.2f | %d | %d |%n",
        entry.name(),
        entry.readsPerSecond(),
        entry.newestMeanMicros() / 1e3,
        entry.newestP99Micros() / 1e3,
        entry.oldMeanMicros() / 1e3,
        entry.oldP99Micros() / 1e3,
        entry.fastReadShare() == null
            ? "-"
            : String.format(Locale.ROOT, "%.0f %%", 100 * entry.fastReadShare()),
        entry.slowReadsPerRead(),
        entry.rowsPerSecond(),
        entry.slowWrittenPerByte(),
        entry.fastWrittenPerByte(),
        entry.slowMeanBytes() / 1e6,
        entry.slowMostBytes() / 1e6,
        entry.fastMostBytes() / 1e6,
        entry.sstables(),
        entry.nodeCores(),
        entry.wrongReads(),
        entry.failedOperations());
  }
}
