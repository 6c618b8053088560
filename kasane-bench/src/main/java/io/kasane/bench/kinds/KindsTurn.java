/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.bench.engines.Workload;
import io.kasane.bench.load.CheckedCells;
import io.kasane.bench.load.LoadRun;
import io.kasane.bench.load.OperationLog;
import io.kasane.bench.load.Table;
import io.kasane.bench.load.Verification;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** One system's turn: its nodes are loaded, and run one workload after another. */
final class KindsTurn implements AutoCloseable {
  private static final double SKEW = 0.99;
  private static final int VERIFIED_ROWS = 300;

  /** Rows are loaded with timestamp 1; the version of a cell is added. */
  private static final long FIRST_TIMESTAMP_MICROS = 1_000;

  private final KindsSystem system;
  private final KindsScale scale;
  private final ZipfLaws laws;
  private final long seed;
  private final KindsCluster cluster;
  private final CheckedCells cells;

  private KindsTurn(
      KindsSystem system, KindsScale scale, ZipfLaws laws, long seed, KindsCluster cluster) {
    this.system = system;
    this.scale = scale;
    this.laws = laws;
    this.seed = seed;
    this.cluster = cluster;
    this.cells = new CheckedCells(scale.rows(), Table.FIELDS);
  }

  /** Starts nodes and loads them. */
  static KindsTurn begin(
      Distribution distribution,
      Path directory,
      KindsSystem system,
      KindsScale scale,
      ZipfLaws laws,
      long seed,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("starting nodes");
    KindsCluster cluster = KindsCluster.start(distribution, directory, system, scale);
    try {
      cluster.load(scale.rows(), progress);
    } catch (IOException | InterruptedException | RuntimeException e) {
      try (cluster) {
        throw e;
      }
    }
    return new KindsTurn(system, scale, laws, seed, cluster);
  }

  /** Runs a load that is not measured, so that no system finds the clients' own code cold. */
  void warmUp(Duration time, Consumer<String> progress) throws InterruptedException {
    run(
        Workload.UPDATE_HEAVY,
        null,
        time,
        seed + 2,
        OperationLog.unwritten(scale.rows()),
        new LagWatch(),
        progress);
  }

  /**
   * Runs a workload.
   *
   * @param rate operations a second; null for as many as are answered
   * @param latencies the file of its histograms
   */
  KindsEntry run(Workload workload, Integer rate, Path latencies, Consumer<String> progress)
      throws IOException, InterruptedException {
    long wrongBefore = cells.wrong();
    cluster.setTimed(true);
    run(
        workload,
        rate,
        scale.warmUp(),
        seed + 1,
        OperationLog.unwritten(scale.rows()),
        new LagWatch(),
        progress);
    cluster.setTimed(false);
    cluster.settle();
    cluster.setTimed(true);
    LagWatch lag = new LagWatch();
    try (OperationLog log = new OperationLog(scale.rows(), latencies)) {
      Map<String, Long> readsBefore = cluster.localReads();
      long cpuBefore = cluster.cpuNanos();
      long began = System.nanoTime();
      run(workload, rate, scale.duration(), seed, log, lag, progress);
      double seconds = (System.nanoTime() - began) / 1e9;
      Map<String, Double> shares = shares(readsBefore, cluster.localReads());
      cluster.setTimed(false);
      progress.accept("settling");
      cluster.settle();
      long cpu = cluster.cpuNanos() - cpuBefore;
      progress.accept("reading rows again");
      Verification.read(
          cluster.session(),
          cells,
          new SplittableRandom(seed).ints(VERIFIED_ROWS, 0, scale.rows()),
          cluster.verification());
      return entry(workload, rate, log, seconds, shares, lag, cpu, cells.wrong() - wrongBefore);
    }
  }

  private void run(
      Workload workload,
      Integer rate,
      Duration time,
      long draws,
      OperationLog log,
      LagWatch lag,
      Consumer<String> progress)
      throws InterruptedException {
    new LoadRun(
            cluster.session(),
            scale.clients(),
            rate == null ? 0 : rate,
            time,
            cluster.consistency())
        .run(
            laws.of(SKEW),
            workload.mix(),
            cells,
            log,
            FIRST_TIMESTAMP_MICROS,
            draws,
            second -> {
              sample(lag, second.seconds());
              progress.accept(
                  "%.0f s, %,.0f ops/s"
                      .formatted(second.atSeconds(), second.operationsPerSecond()));
            });
  }

  private void sample(LagWatch lag, double seconds) {
    try {
      lag.sample(cluster.mutations(), seconds);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Double> shares(Map<String, Long> before, Map<String, Long> after) {
    double all =
        after.entrySet().stream().mapToLong(e -> e.getValue() - before.get(e.getKey())).sum();
    Map<String, Double> shares = new LinkedHashMap<>();
    if (all > 0) {
      after.forEach((rack, reads) -> shares.put(rack, (reads - before.get(rack)) / all));
    }
    return shares;
  }

  private KindsEntry entry(
      Workload workload,
      Integer rate,
      OperationLog log,
      double seconds,
      Map<String, Double> shares,
      LagWatch lag,
      long cpuNanos,
      long wrong) {
    Histogram reads = log.reads();
    Histogram writes = log.updates();
    long operations = reads.getTotalCount() + writes.getTotalCount();
    return new KindsEntry(
        system.label(),
        workload.label(),
        rate,
        scale.rows(),
        seconds,
        operations / seconds,
        mean(reads),
        p99(reads),
        mean(writes),
        p99(writes),
        shares,
        lag.maxSeconds(),
        cpuNanos / 1e3 / operations,
        null,
        null,
        reads.getTotalCount(),
        writes.getTotalCount(),
        wrong,
        log.failed(),
        cells.firstProblem() == null ? log.firstFailure() : cells.firstProblem());
  }

  private static Double mean(Histogram times) {
    return times.getTotalCount() == 0 ? null : times.getMean();
  }

  private static Long p99(Histogram times) {
    return times.getTotalCount() == 0 ? null : times.getValueAtPercentile(99);
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
