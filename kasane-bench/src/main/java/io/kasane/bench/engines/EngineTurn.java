/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.bench.load.CheckedCells;
import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.LoadRun;
import io.kasane.bench.load.OperationLog;
import io.kasane.bench.load.Table;
import io.kasane.bench.load.Verification;
import io.kasane.bench.load.ZipfLaws;
import io.kasane.node.Distribution;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** One system's turn: a node is loaded, and runs one workload after another. */
final class EngineTurn implements AutoCloseable {
  private static final double SKEW = 0.99;
  private static final int VERIFIED_ROWS = 500;

  /** Rows are loaded with timestamp 1; the version of a cell is added. */
  private static final long FIRST_TIMESTAMP_MICROS = 1_000;

  private final EngineSystem system;
  private final MemoryKind memory;
  private final EnginesScale scale;
  private final int round;
  private final ZipfLaws laws;
  private final long seed;
  private final EngineNode node;
  private final CheckedCells cells;

  private EngineTurn(
      EngineSystem system,
      MemoryKind memory,
      EnginesScale scale,
      int round,
      ZipfLaws laws,
      long seed,
      EngineNode node) {
    this.system = system;
    this.memory = memory;
    this.scale = scale;
    this.round = round;
    this.laws = laws;
    this.seed = seed;
    this.node = node;
    this.cells = new CheckedCells(scale.rows(memory), Table.FIELDS);
  }

  /** Starts a node and loads it. */
  static EngineTurn begin(
      Distribution distribution,
      Path directory,
      EngineSystem system,
      MemoryKind memory,
      EnginesScale scale,
      int round,
      String durability,
      ZipfLaws laws,
      long seed,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    boolean isLimited = memory == MemoryKind.BEYOND;
    progress.accept("starting a node");
    EngineNode node =
        EngineNode.start(
            distribution,
            directory,
            system,
            new EngineNodeSettings(scale.memtableMib(memory), durability),
            isLimited);
    try {
      node.load(scale.rows(memory), progress);
      if (isLimited) {
        node.limitPageCache(scale.pageCacheBytes());
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      try (node) {
        throw e;
      }
    }
    return new EngineTurn(system, memory, scale, round, laws, seed, node);
  }

  /**
   * Runs a workload.
   *
   * @param latencies the file of its histograms
   */
  CellEntry run(Workload workload, Path latencies, Consumer<String> progress)
      throws IOException, InterruptedException {
    int rows = scale.rows(memory);
    long wrongBefore = cells.wrong();
    run(workload, scale.warmUp(), OperationLog.unwritten(rows), seed + 1, progress);
    node.settle();
    try (OperationLog log = new OperationLog(rows, latencies)) {
      NodeMeasures before = node.measures();
      long began = System.nanoTime();
      run(workload, scale.duration(), log, seed, progress);
      double seconds = (System.nanoTime() - began) / 1e9;
      NodeMeasures done = node.measures();
      double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
      progress.accept("settling");
      node.settle();
      NodeMeasures paid = done.withCpuOf(node.measures()).since(before);
      progress.accept("reading rows again");
      Verification.read(node.session(), cells, verifiedRows());
      progress.accept("scanning");
      long scanBegan = System.nanoTime();
      long missed = Math.abs(rows - node.count());
      double scanSeconds = (System.nanoTime() - scanBegan) / 1e9;
      long wrong = cells.wrong() - wrongBefore + missed;
      return entry(workload, log, seconds, paid, scanSeconds, wrong, loadAverage);
    }
  }

  private void run(
      Workload workload,
      Duration duration,
      OperationLog log,
      long clientSeed,
      Consumer<String> progress)
      throws InterruptedException {
    new LoadRun(node.session(), scale.clients(), 0, duration)
        .run(
            laws.of(SKEW),
            workload.mix(),
            cells,
            log,
            FIRST_TIMESTAMP_MICROS,
            clientSeed,
            second ->
                progress.accept(
                    "%.0f of %d s, %,.0f ops/s"
                        .formatted(
                            second.atSeconds(),
                            duration.toSeconds(),
                            second.operationsPerSecond())));
  }

  /** Half of them the hottest ones, half of them at random. */
  private IntStream verifiedRows() {
    KeyLaw law = laws.of(SKEW);
    return IntStream.concat(
        IntStream.of(law.hottest(VERIFIED_ROWS / 2, 1)),
        new SplittableRandom(seed).ints(VERIFIED_ROWS / 2, 0, scale.rows(memory)));
  }

  private CellEntry entry(
      Workload workload,
      OperationLog log,
      double seconds,
      NodeMeasures paid,
      double scanSeconds,
      long wrong,
      double loadAverage) {
    Histogram reads = log.reads();
    Histogram writes = log.updates();
    long operations = reads.getTotalCount() + writes.getTotalCount();
    return new CellEntry(
        system.label(),
        workload.label(),
        memory.label(),
        round,
        scale.rows(memory),
        memory == MemoryKind.BEYOND ? scale.pageCacheBytes() : null,
        seconds,
        operations / seconds,
        mean(reads),
        percentile(reads, 50),
        percentile(reads, 99),
        mean(writes),
        percentile(writes, 50),
        percentile(writes, 99),
        paid.localReadMeanMicros(),
        paid.localWriteMeanMicros(),
        paid.cpuNanos() / 1e3 / operations,
        scanSeconds,
        node.diskBytes(),
        reads.getTotalCount(),
        writes.getTotalCount(),
        wrong,
        log.failed(),
        loadAverage,
        cells.firstProblem() == null ? log.firstFailure() : cells.firstProblem());
  }

  private static Double mean(Histogram times) {
    return times.getTotalCount() == 0 ? null : times.getMean();
  }

  private static Long percentile(Histogram times, double percent) {
    return times.getTotalCount() == 0 ? null : times.getValueAtPercentile(percent);
  }

  @Override
  public void close() throws IOException {
    node.close();
  }
}
