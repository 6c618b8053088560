/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.engines.Workload;
import io.kasane.bench.kinds.KindsSystem.Part;
import io.kasane.bench.lab.DiskRole;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What was measured, for people: tables of Markdown. */
final class KindsTable {
  private static final String HEAD =
      "| system | ops/s | of the best of one kind | of the bound | read mean us | p99 | write mean us | p99 | reads by"
          + " node | lag s | node CPU us | wrong | failed |\n|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      Single systems have one node and one replica. Those called `cluster-` have three nodes, a replica on each, and read and write
      at `QUORUM`. `-through`: each write goes into the engine at once, and is as durable there as it is set to before it is
      answered. `cluster-unsteered` is the mix as stock Cassandra's dynamic snitch reads it, `cluster-at-readers` the mix whose clients have
      no coordinator that reads avoid. lag: the longest queue of mutations, over
      what was worked off in a second. node CPU: of all nodes' processes, an operation; servers of engines are not in it.
      of the best of one kind: a mix's throughput over that of the best cluster of one kind, which it cannot exceed where each node
      has a machine of its own (docs/design/kinds.md); here all nodes share one machine, so that costs add up, and a mix lies
      between its kinds.
      On modelled disks (a fiftieth of the speed of an SSD and of a hard disk of 7,200 rpm, one for each node, with page caches of 4 %
      of the data) nodes wait for disks of their own. The rate there is half of what `cluster-ssd+ssd+hdd` sustains. of the bound:
      the throughput over what the proof allows, with costs of clusters of one kind: of a write from update-only, of a read from
      the same workload.
      """;

  private KindsTable() {}

  /** Returns the entries, mixes with how they compare. */
  static List<KindsEntry> besideTheBest(List<KindsEntry> entries) {
    return entries.stream().map(entry -> besideTheBest(entry, entries)).toList();
  }

  private static KindsEntry besideTheBest(KindsEntry entry, List<KindsEntry> all) {
    KindsSystem system = KindsSystem.named(entry.name());
    OptionalDouble best =
        all.stream()
            .filter(other -> other.rate() == null)
            .filter(other -> other.workload().equals(entry.workload()))
            .filter(other -> KindsSystem.named(other.name()).part() == system.part())
            .filter(other -> KindsSystem.named(other.name()).isHomogeneous())
            .mapToDouble(KindsEntry::throughputOps)
            .max();
    return system.isCluster() && !system.isHomogeneous() && entry.rate() == null && best.isPresent()
        ? entry.beside(best.getAsDouble(), bound(system, entry.workload(), all))
        : entry;
  }

  /** What the proof allows it; null where that is not known. */
  private static Double bound(KindsSystem system, String workload, List<KindsEntry> all) {
    Optional<KindCosts> fast = costs(KindsSystem.CLUSTER_SSD, Workload.named(workload), all);
    Optional<KindCosts> cheap = costs(KindsSystem.CLUSTER_HDD, Workload.named(workload), all);
    if (system.part() != Part.DISKS || fast.isEmpty() || cheap.isEmpty()) {
      return null;
    }
    List<KindCosts> nodes = new ArrayList<>();
    for (String rack : system.media().orElseThrow().nodesUp()) {
      nodes.add(Media.role(rack) == DiskRole.FAST ? fast.get() : cheap.get());
    }
    return QuorumBound.operationsPerSecond(nodes, Workload.named(workload).readShare());
  }

  private static Optional<KindCosts> costs(
      KindsSystem ofOneKind, Workload workload, List<KindsEntry> all) {
    OptionalDouble reads = saturated(ofOneKind, Workload.READ_ONLY, all);
    OptionalDouble writes = saturated(ofOneKind, Workload.UPDATE_ONLY, all);
    OptionalDouble both = saturated(ofOneKind, workload, all);
    if (reads.isEmpty() || writes.isEmpty() || both.isEmpty()) {
      return Optional.empty();
    }
    KindCosts alone = KindCosts.ofCluster(reads.getAsDouble(), writes.getAsDouble());
    double readShare = workload.readShare();
    return Optional.of(
        readShare > 0 && readShare < 1 ? alone.withReadsOf(readShare, both.getAsDouble()) : alone);
  }

  private static OptionalDouble saturated(
      KindsSystem system, Workload workload, List<KindsEntry> all) {
    return all.stream()
        .filter(entry -> entry.rate() == null && entry.name().equals(system.label()))
        .filter(entry -> entry.workload().equals(workload.label()))
        .mapToDouble(KindsEntry::throughputOps)
        .findFirst();
  }

  static String of(List<KindsEntry> entries) {
    StringBuilder text = new StringBuilder();
    for (Part part : Part.values()) {
      for (boolean isAtRate : new boolean[] {true, false}) {
        for (Workload workload : Workload.values()) {
          Predicate<KindsEntry> own =
              entry ->
                  KindsSystem.named(entry.name()).part() == part
                      && entry.rate() != null == isAtRate
                      && entry.workload().equals(workload.label());
          List<KindsEntry> rows = entries.stream().filter(own).toList();
          if (!rows.isEmpty()) {
            text.append(title(rows.get(0), part)).append(HEAD);
            rows.forEach(row -> text.append(row(row)));
          }
        }
      }
    }
    text.append(LEGEND);
    Set<String> problems = new LinkedHashSet<>();
    for (KindsEntry entry : entries) {
      if (entry.firstProblem() != null) {
        problems.add("\nFirst problem of " + entry.name() + ": " + entry.firstProblem() + "\n");
      }
    }
    problems.forEach(text::append);
    return text.toString();
  }

  private static String title(KindsEntry first, Part part) {
    return String.format(
        Locale.ROOT,
        "%n## %s, %s, %s%n%n",
        part.title().substring(0, 1).toUpperCase(Locale.ROOT) + part.title().substring(1),
        first.workload(),
        first.rate() == null ? "saturated" : "%,d operations/s".formatted(first.rate()));
  }

  private static String row(KindsEntry entry) {
    return String.format(
        Locale.ROOT,
        "| %s | %,.0f | %s | %s | %s | %s | %s | %s | %s | %.2f | %.0f | %d | %d |%n",
        entry.name(),
        entry.throughputOps(),
        ratio(entry.ofBestHomogeneous()),
        ratio(entry.boundOps() == null ? null : entry.throughputOps() / entry.boundOps()),
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

  private static String ratio(Double ratio) {
    return ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
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
