/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What was measured, for people: tables of Markdown. */
final class EnginesTable {
  private static final String HEAD =
      "| system | round | ops/s | read mean us | p99 | local read | write mean us | p99 | local write"
          + " | node CPU us an operation | scan s | MiB on disk | wrong | failed | load |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String BESIDE =
      "\nTimes that of `lsm`, mean of the rounds:\n\n"
          + "| system | ops/s | read | local read | write | local write | node CPU | scan | disk |\n"
          + "|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      read, write: as clients see them. local: as the node counts them for the table, without CQL and network. node CPU: of the
      node's process, from the first operation until all that was written is flushed and compacted, over the operations. scan:
      counting all rows by CQL. MiB on disk: the table's files and those of its engine, after that; not the commit log. wrong: cells
      that were not what was written, and rows that the scan missed. load: the machine's average of the last minute.
      `-through`: each write goes into the engine at once, and is as durable there as the engine is set to before it is answered.
      """;

  private static final List<Function<CellEntry, Double>> COMPARED =
      List.of(
          CellEntry::throughputOps,
          CellEntry::readMeanMicros,
          CellEntry::localReadMeanMicros,
          CellEntry::writeMeanMicros,
          CellEntry::localWriteMeanMicros,
          CellEntry::nodeCpuMicrosPerOperation,
          CellEntry::scanSeconds,
          entry -> (double) entry.diskBytes());

  private EnginesTable() {}

  /**
   * The tables of all entries.
   *
   * @param whyNotBeyond why there are none of data beyond memory; empty if there are
   */
  static String of(List<CellEntry> entries, Optional<String> whyNotBeyond) {
    StringBuilder text = new StringBuilder();
    for (MemoryKind memory : MemoryKind.values()) {
      for (Workload workload : Workload.values()) {
        List<CellEntry> own = of(entries, memory, workload);
        if (!own.isEmpty()) {
          text.append(title(own.get(0))).append(HEAD);
          own.forEach(entry -> text.append(row(entry)));
          text.append(beside(own));
        }
      }
    }
    text.append(LEGEND);
    whyNotBeyond.ifPresent(
        why -> text.append("\nData beyond memory were not run: ").append(why).append(".\n"));
    entries.stream()
        .filter(entry -> entry.firstProblem() != null)
        .forEach(
            entry ->
                text.append("\nFirst problem of ")
                    .append(entry.name())
                    .append(" by then: ")
                    .append(entry.firstProblem())
                    .append("\n"));
    return text.toString();
  }

  static List<CellEntry> of(List<CellEntry> entries, MemoryKind memory, Workload workload) {
    return entries.stream()
        .filter(entry -> entry.memory().equals(memory.label()))
        .filter(entry -> entry.workload().equals(workload.label()))
        .toList();
  }

  private static String title(CellEntry first) {
    String room =
        first.pageCacheBytes() == null
            ? "memory holds them"
            : "%d MiB of page cache".formatted(first.pageCacheBytes() >> 20);
    return String.format(
        Locale.ROOT, "%n## %s, %,d rows, %s%n%n", first.workload(), first.rows(), room);
  }

  private static String row(CellEntry entry) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %,.0f | %s | %s | %s | %s | %s | %s | %.0f | %.2f | %,d | %d | %d | %.1f |%n",
        entry.name(),
        entry.round(),
        entry.throughputOps(),
        number(entry.readMeanMicros()),
        number(entry.readP99Micros()),
        number(entry.localReadMeanMicros()),
        number(entry.writeMeanMicros()),
        number(entry.writeP99Micros()),
        number(entry.localWriteMeanMicros()),
        entry.nodeCpuMicrosPerOperation(),
        entry.scanSeconds(),
        entry.diskBytes() >> 20,
        entry.wrongReads(),
        entry.failedOperations(),
        entry.loadAverage());
  }

  private static String beside(List<CellEntry> own) {
    List<String> names = own.stream().map(CellEntry::name).distinct().toList();
    if (!names.contains(EngineSystem.LSM.label()) || names.size() < 2) {
      return "";
    }
    StringBuilder text = new StringBuilder(BESIDE);
    for (String name : names) {
      List<String> cells = new ArrayList<>(List.of(name));
      for (Function<CellEntry, Double> value : COMPARED) {
        double ratio = mean(own, name, value) / mean(own, EngineSystem.LSM.label(), value);
        cells.add(Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-");
      }
      text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    return text.toString();
  }

  /** The mean of a system's rounds; NaN if there is none. */
  static double mean(List<CellEntry> own, String name, Function<CellEntry, Double> value) {
    return own.stream()
        .filter(entry -> entry.name().equals(name))
        .map(value)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }

  /** A whole number, or a dash for what was not seen. */
  static String number(Number value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%,.0f", value.doubleValue());
  }
}
