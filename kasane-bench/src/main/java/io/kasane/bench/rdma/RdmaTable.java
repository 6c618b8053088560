/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.rdma.Contestant.Store;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** What was measured, for people: tables of Markdown. */
final class RdmaTable {
  private static final String HEAD =
      "| system | transport | clients | transactions/s | least, most of the turns | of sockets |"
          + " read mean us | p50 | p99 | write mean us | server us | without server |"
          + " second round | halves of reads | failed |\n"
          + "|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|\n";

  private static final String LEGEND =
      """

      Each transaction reads or writes its keys, drawn anew. Clients are threads of one process, each with one transaction at a
      time, as many as gave the most in a run before (below). of sockets: transactions a second over those of `ramp` by `sockets`.
      server us: what a transaction costs the servers' processors: by `sockets` all that their processes used, else what they did
      between finding a request and having answered it, polling left out. without server: the share of the keys that were read out
      of the servers' memory. second round: the share of the reads that asked more than once. halves: reads that showed a key as a
      transaction left it and another key of that transaction as it was before. `none` has no control at all: by `get-star` its
      reads are slots that are copied and checked, and no more, which is the ceiling. on a node: Cassandra with an arena, first
      rounds by CQL, from the process beside the node, or out of shared memory; all else by CQL. server us are the node's and that
      process's then.
      """;

  private RdmaTable() {}

  static String of(
      List<Measured> all, Map<String, Map<Integer, Double>> pilots, Optional<String> leftOut) {
    StringBuilder text = new StringBuilder();
    for (Shape shape : all.stream().map(Measured::shape).distinct().toList()) {
      List<Measured> own = all.stream().filter(one -> one.shape().equals(shape)).toList();
      text.append("\n## ").append(shape.describe()).append("\n\n").append(HEAD);
      own.forEach(one -> text.append(row(one, baseline(own))));
    }
    text.append(LEGEND);
    if (!pilots.isEmpty()) {
      text.append("\n| clients | 1 | 2 | 4 | 8 |\n|-|-|-|-|-|\n");
    }
    pilots.forEach(
        (transport, throughputs) -> {
          text.append("| ").append(transport).append(", transactions/s |");
          throughputs
              .values()
              .forEach(one -> text.append(String.format(Locale.ROOT, " %,.0f |", one)));
          text.append('\n');
        });
    leftOut.ifPresent(why -> text.append("\nLeft out: ").append(why).append(".\n"));
    all.stream()
        .filter(one -> one.run().firstFailure() != null)
        .forEach(
            one ->
                text.append(
                    "\nFirst failure of %s: %s\n"
                        .formatted(one.contestant().label(), one.run().firstFailure())));
    return text.toString();
  }

  private static Optional<Measured> baseline(List<Measured> own) {
    return own.stream().filter(one -> one.contestant().equals(Contestant.BASELINE)).findFirst();
  }

  private static String row(Measured one, Optional<Measured> baseline) {
    RunResult run = one.run();
    return String.format(
        Locale.ROOT,
        "| %s%s | %s | %d | %,.0f | %,.0f, %,.0f | %s | %s | %s | %.2f | %.1f %% | %s | %,d | %d |%n",
        one.contestant().system(),
        one.contestant().store() == Store.MEMORY ? "" : ", on a node",
        one.contestant().transport().label(),
        one.clients(),
        run.throughput(),
        Collections.min(one.throughputs()),
        Collections.max(one.throughputs()),
        baseline
            .map(base -> "%.2f".formatted(run.throughput() / base.run().throughput()))
            .orElse("-"),
        times(run.readTimes()),
        mean(run.writeTimes()),
        one.serverMicros(),
        one.oneSided().share() * 100,
        run.reads() == 0
            ? "-"
            : String.format(Locale.ROOT, "%.2f %%", run.secondRoundShare() * 100),
        run.fracturedReads(),
        run.failed());
  }

  private static String mean(Histogram times) {
    return times.getTotalCount() == 0
        ? "-"
        : String.format(Locale.ROOT, "%.1f", times.getMean() / 1e3);
  }

  private static String times(Histogram times) {
    if (times.getTotalCount() == 0) {
      return "- | - | -";
    }
    return String.format(
        Locale.ROOT,
        "%.1f | %.1f | %.1f",
        times.getMean() / 1e3,
        times.getValueAtPercentile(50) / 1e3,
        times.getValueAtPercentile(99) / 1e3);
  }
}
