/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.engines.Workload;
import io.kasane.bench.kinds.KindsSystem.Part;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All systems on the same rows and loads, fresh nodes for each. */
final class KindsExperiment {
  private static final Duration CLIENTS_WARM_UP = Duration.ofSeconds(20);

  private final KindsScale scale;
  private final long seed;
  private final List<KindsSystem> systems;
  private final int rate;
  private final ZipfLaws laws;
  private final List<KindsEntry> entries = new ArrayList<>();

  /**
   * An experiment.
   *
   * @param rate operations a second of the runs at a fixed rate
   */
  KindsExperiment(KindsScale scale, long seed, List<KindsSystem> systems, int rate) {
    this.scale = scale;
    this.seed = seed;
    this.systems = List.copyOf(systems);
    this.rate = rate;
    this.laws = new ZipfLaws(scale.rows(), seed);
  }

  /** How many measurements there are, on all systems together. */
  int steps() {
    return 2 * systems.size() * Workload.values().length;
  }

  /** Whether no read was wrong. */
  boolean isRight() {
    return entries.stream().mapToLong(KindsEntry::wrongReads).sum() == 0;
  }

  /** Runs all, and draws the figures. */
  void run(Distribution distribution, Path nodes, ResultFolder folder, Progress progress)
      throws IOException, InterruptedException {
    Path latencies = Files.createDirectories(folder.directory().resolve("cells"));
    write(folder);
    for (KindsSystem system : systems) {
      run(system, distribution, nodes, latencies, folder, progress);
    }
    new KindsFigures(folder, entries, systems).draw();
    write(folder);
  }

  private void run(
      KindsSystem system,
      Distribution distribution,
      Path nodes,
      Path latencies,
      ResultFolder folder,
      Progress progress)
      throws IOException, InterruptedException {
    progress.begin(system.label());
    try (KindsTurn turn =
        KindsTurn.begin(
            distribution,
            nodes.resolve(system.label()),
            system,
            scale,
            laws,
            seed,
            progress::say)) {
      if (entries.isEmpty()) {
        turn.warmUp(CLIENTS_WARM_UP, progress::say);
      }
      // On modelled disks the rate is half of what the recommended cluster has sustained by then.
      boolean isSaturatedFirst = system.part() == Part.DISKS;
      for (boolean isAtRate : new boolean[] {!isSaturatedFirst, isSaturatedFirst}) {
        for (Workload workload : Workload.values()) {
          Integer fixed = isAtRate ? rate(system, workload) : null;
          String cell =
              system.label() + "-" + workload.label() + (fixed == null ? "" : "-at-" + fixed);
          progress.begin(cell);
          KindsEntry entry =
              turn.run(workload, fixed, latencies.resolve(cell + ".hlog"), progress::say);
          entries.add(entry);
          write(folder);
          progress.end(told(entry));
        }
      }
    }
  }

  private int rate(KindsSystem system, Workload workload) {
    if (system.part() != Part.DISKS) {
      return rate;
    }
    return Stream.of(KindsSystem.CLUSTER_SSD_SSD_HDD, system)
        .flatMap(one -> entries.stream().filter(entry -> entry.name().equals(one.label())))
        .filter(entry -> entry.rate() == null && entry.workload().equals(workload.label()))
        .findFirst()
        .map(entry -> Math.max(1, (int) (entry.throughputOps() / 2)))
        .orElseThrow();
  }

  private void write(ResultFolder folder) {
    List<KindsEntry> compared = KindsTable.besideTheBest(entries);
    folder.write(compared, KindsTable.of(compared));
  }

  private static String told(KindsEntry entry) {
    return String.format(
        Locale.ROOT,
        "%,.0f ops/s, reads %s us, writes %s us, reads by node %s, lag %.2f s, %d wrong, %d failed",
        entry.throughputOps(),
        KindsTable.number(entry.readMeanMicros()),
        KindsTable.number(entry.writeMeanMicros()),
        KindsTable.shares(entry),
        entry.lagMaxSeconds(),
        entry.wrongReads(),
        entry.failedOperations());
  }
}
