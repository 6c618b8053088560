/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.engines.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What was measured, for people: tables of Markdown. */
final class KindsTable {
  private static final String HEAD =
      "| system | ops/s | of the best of one kind | read mean us | p99 | write mean us | p99 | reads by"
          + " node | lag s | node CPU us | wrong | failed |\n|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      Single systems have one node and one replica. Those called `cluster-` have three nodes, a replica on each, and read and write
      at `QUORUM`. `-through`: each write goes into the engine at once, and is as durable there as it is set to before it is
      answered. `cluster-unsteered` is the mix as stock Cassandra's dynamic snitch reads it. lag: the longest queue of mutations, over
      what was worked off in a second. node CPU: of all nodes' processes, an operation; servers of engines are not in it.
      of the best of one kind: a mix's throughput over that of the best cluster of one kind, which it cannot exceed where each node
      has a machine of its own (docs/design/kinds.md); here all nodes share one machine, so that costs add up, and a mix lies
      between its kinds.
      """;

  private KindsTable() {}

  /** Returns the entries, mixes with how they compare. */
  static List<KindsEntry> besideTheBest(List<KindsEntry> entries) {
    return entries.stream().map(entry -> besideTheBest(entry, entries)).toList();
  }

  private static KindsEntry besideTheBest(KindsEntry entry, List<KindsEntry> all) {
    boolean isMix = of(entry.name()).isCluster() && !of(entry.name()).isHomogeneous();
    OptionalDouble best =
        all.stream()
            .filter(other -> other.rate() == null)
            .filter(other -> other.workload().equals(entry.workload()))
            .filter(other -> of(other.name()).isCluster() && of(other.name()).isHomogeneous())
            .mapToDouble(KindsEntry::throughputOps)
            .max();
    return isMix && entry.rate() == null && best.isPresent()
        ? entry.beside(best.getAsDouble())
        : entry;
  }

  private static KindsSystem of(String label) {
    return KindsSystem.values()[KindsSystem.labels().indexOf(label)];
  }

  static String of(List<KindsEntry> entries) {
    StringBuilder text = new StringBuilder();
    for (boolean isCluster : new boolean[] {false, true}) {
      for (boolean isAtRate : new boolean[] {true, false}) {
        for (Workload workload : Workload.values()) {
          Predicate<KindsEntry> own =
              entry ->
                  of(entry.name()).isCluster() == isCluster
                      && entry.rate() != null == isAtRate
                      && entry.workload().equals(workload.label());
          List<KindsEntry> rows = entries.stream().filter(own).toList();
          if (!rows.isEmpty()) {
            text.append(title(rows.get(0), isCluster)).append(HEAD);
            rows.forEach(row -> text.append(row(row)));
          }
        }
      }
    }
    text.append(LEGEND);
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

  private static String title(KindsEntry first, boolean isCluster) {
    return String.format(
        Locale.ROOT,
        "%n## %s, %s, %s%n%n",
        isCluster ? "Three nodes" : "One node",
        first.workload(),
        first.rate() == null ? "saturated" : "%,d operations/s".formatted(first.rate()));
  }

  private static String row(KindsEntry entry) {
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %s | %s | %s | %s | %s | %s | %.2f | %.0f | %d | %d |%n",
        entry.name(),
        entry.throughputOps(),
        entry.ofBestHomogeneous() == null
            ? "-"
            : String.format(Locale.ROOT, "%.2f", entry.ofBestHomogeneous()),
        number(entry.readMeanMicros()),
        number(entry.readP99Micros()),
        number(entry.writeMeanMicros()),
        number(entry.writeP99Micros()),
        shares(entry),
        entry.lagMaxSeconds(),
        entry.nodeCpuMicrosPerOperation(),
        entry.wrongReads(),
        entry.failedOperations());
  }

  /** The share of the local reads that each node made. */
  static String shares(KindsEntry entry) {
    return entry.readShareByNode().isEmpty()
        ? "-"
        : entry.readShareByNode().entrySet().stream()
            .map(
                share ->
                    String.format(
                        Locale.ROOT, "%s %.1f %%", share.getKey(), 100 * share.getValue()))
            .collect(Collectors.joining(", "));
  }

  /** A whole number, or a dash for what was not seen. */
  static String number(Number value) {
    return Objects.isNull(value) ? "-" : String.format(Locale.ROOT, "%,.0f", value.doubleValue());
  }
}
