/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.ramp.load.Ageing;
import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.load.TransactionLoad;
import io.kasane.bench.ramp.load.TransactionRun;
import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.ramp.system.TransactionSystem;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import io.kasane.ramp.protocol.RampOptions;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All cells, one after the other, on one cluster. */
final class RampExperiment {
  /** Under half of the window, with room for clocks. */
  private static final double DEADLINE_OF_WINDOW = 0.45;

  private final RampScale scale;
  private final long seed;
  private final List<String> systems;
  private final boolean recordsHistories;
  private final Map<Cell, CellResult> results = new LinkedHashMap<>();

  /**
   * An experiment.
   *
   * @param systems their names
   * @param recordsHistories whether each table's history is left in the folder, too
   */
  RampExperiment(RampScale scale, long seed, List<String> systems, boolean recordsHistories) {
    this.scale = scale;
    this.seed = seed;
    this.systems = List.copyOf(systems);
    this.recordsHistories = recordsHistories;
  }

  /** How many turns there are, of all systems. */
  int steps() {
    return scale.cells(systems).size() * scale.turns();
  }

  /** Whether every system kept its word. */
  boolean isRight() {
    return results.values().stream().allMatch(CellResult::isRight);
  }

  /** Runs all cells and draws the figures. */
  void run(RampCluster cluster, ResultFolder folder, Progress progress)
      throws InterruptedException {
    Systems all = new Systems(cluster.session(), RampCluster.KEYSPACE, options());
    preheat(cluster, all, progress);
    for (Shape.Prepared kind : scale.tables()) {
      runOn(kind, cluster, all, folder, progress);
    }
    new RampFigures(folder, List.copyOf(results.values()), systems, scale.shapes().get(0)).draw();
    write(folder);
  }

  /** Else the first systems would pay for the compiler: nodes have just begun. */
  private void preheat(RampCluster cluster, Systems all, Progress progress)
      throws InterruptedException {
    if (scale.preheat().isZero()) {
      return;
    }
    Shape shape = scale.shapes().get(0).withReadShare(0.5);
    for (String name : systems) {
      progress.say("warming up " + name);
      String table = "preheat" + systems.indexOf(name);
      try (TransactionSystem system = all.open(name, table)) {
        Ageing.age(system, load(shape), 1);
        new TransactionRun(system, load(shape), KeyLaws.parse(shape.law(), shape.keys(), seed))
            .run(scale.preheat(), Duration.ZERO);
      }
      cluster.drop(table);
    }
  }

  private RampOptions options() {
    long window = scale.gcWindow().toMillis();
    return RampOptions.defaults()
        .withDeadline(Duration.ofMillis((long) (window * DEADLINE_OF_WINDOW)))
        .withGcWindow(scale.gcWindow());
  }

  private void runOn(
      Shape.Prepared kind, RampCluster cluster, Systems all, ResultFolder folder, Progress progress)
      throws InterruptedException {
    List<Cell> cells = scale.cells(kind, systems);
    try (SystemTables tables =
        new SystemTables(all, cluster, "kind" + scale.tables().indexOf(kind))) {
      for (Cell cell : cells) {
        if (tables.of(cell.system()).isEmpty()) {
          progress.say("writing every key of " + cell.system() + " " + scale.passes() + " times");
          tables.open(cell.system(), histories(folder));
          TransactionSystem system = tables.of(cell.system()).orElseThrow();
          Ageing.age(system, load(cell.shape()), scale.passes());
          settle(system);
        }
      }
      for (Shape shape : cells.stream().map(Cell::shape).distinct().toList()) {
        run(
            cells.stream().filter(cell -> cell.shape().equals(shape)).toList(),
            tables,
            folder,
            progress);
      }
    }
  }

  private Optional<Path> histories(ResultFolder folder) {
    return recordsHistories
        ? Optional.of(folder.directory().resolve("histories"))
        : Optional.empty();
  }

  /** Runs all systems by turns, each turn in another order. */
  private void run(List<Cell> cells, SystemTables tables, ResultFolder folder, Progress progress)
      throws InterruptedException {
    for (int turn = 0; turn < scale.turns(); turn++) {
      for (int place = 0; place < cells.size(); place++) {
        Cell cell = cells.get((place + turn) % cells.size());
        progress.begin(cell.label());
        CellResult result = run(cell, tables);
        results.merge(cell, result, CellResult::plus);
        write(folder);
        progress.end(told(result.run()));
      }
    }
  }

  private CellResult run(Cell cell, SystemTables tables) throws InterruptedException {
    Shape shape = cell.shape();
    TransactionSystem system = tables.of(cell.system()).orElseThrow();
    RunResult run =
        new TransactionRun(system, load(shape), KeyLaws.parse(shape.law(), shape.keys(), seed))
            .run(scale.warmUp(), scale.duration());
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    CellResult result = tables.result(cell, run, loadAverage);
    settle(system);
    return result;
  }

  private void settle(TransactionSystem system) throws InterruptedException {
    if (scale.measuresCollecting()) {
      system.settle();
    }
  }

  private TransactionLoad load(Shape shape) {
    return new TransactionLoad(
        shape.keys(), shape.size(), shape.readShare(), shape.valueBytes(), shape.clients(), seed);
  }

  private void write(ResultFolder folder) {
    List<Cell> leftOut =
        systems.stream()
            .flatMap(system -> scale.shapes().stream().map(shape -> new Cell(system, shape)))
            .filter(cell -> cell.whyLeftOut().isPresent())
            .toList();
    List<CellResult> all = List.copyOf(results.values());
    folder.write(all.stream().map(CellEntry::of).toList(), CellTable.of(all, leftOut));
  }

  private static String told(RunResult run) {
    return String.format(
        Locale.ROOT,
        "%,.0f transactions/s, reads %.1f ms, writes %.1f ms, second round %.1f %%, halves %,d of"
            + " %,d reads, %d failed",
        run.throughput(),
        run.readTimes().getMean() / 1e6,
        run.writeTimes().getMean() / 1e6,
        run.reads() == 0 ? 0 : run.secondRoundShare() * 100,
        run.fracturedReads(),
        run.reads(),
        run.failed());
  }
}
