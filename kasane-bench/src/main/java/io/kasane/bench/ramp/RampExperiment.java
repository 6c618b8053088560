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
import io.kasane.ramp.history.History;
import io.kasane.ramp.protocol.RampOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All cells, one after the other, on one cluster. */
final class RampExperiment {
  private static final int SAMPLED_KEYS = 200;

  /** Under half of the window, with room for clocks. */
  private static final double DEADLINE_OF_WINDOW = 0.45;

  private final RampScale scale;
  private final long seed;
  private final List<String> systems;
  private final boolean recordsHistories;
  private final List<CellResult> results = new ArrayList<>();

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

  /** The cells. */
  List<Cell> plan() {
    return scale.cells(systems);
  }

  /** Whether every system kept its word. */
  boolean isRight() {
    return results.stream().allMatch(CellResult::isRight);
  }

  /** Runs all cells and draws the figures. */
  void run(RampCluster cluster, ResultFolder folder, Progress progress)
      throws InterruptedException {
    Systems all = new Systems(cluster.session(), RampCluster.KEYSPACE, options());
    preheat(cluster, all, progress);
    List<Cell> plan = plan();
    int from = 0;
    while (from < plan.size()) {
      Cell first = plan.get(from);
      int to = from;
      while (to < plan.size() && sharesTable(first, plan.get(to))) {
        to++;
      }
      runOnOneTable(plan.subList(from, to), cluster, all, folder, progress, "cells" + from);
      from = to;
    }
    new RampFigures(folder, results, systems, scale.shapes().get(0)).draw();
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

  private static boolean sharesTable(Cell one, Cell other) {
    return one.system().equals(other.system())
        && one.shape().prepared().equals(other.shape().prepared());
  }

  private RampOptions options() {
    long window = scale.gcWindow().toMillis();
    return RampOptions.defaults()
        .withDeadline(Duration.ofMillis((long) (window * DEADLINE_OF_WINDOW)))
        .withGcWindow(scale.gcWindow());
  }

  private void runOnOneTable(
      List<Cell> cells,
      RampCluster cluster,
      Systems all,
      ResultFolder folder,
      Progress progress,
      String table)
      throws InterruptedException {
    String name = cells.get(0).system();
    try (TransactionSystem system = open(all, name, table, folder)) {
      boolean aged = false;
      for (Cell cell : cells) {
        progress.begin(cell.label());
        TransactionLoad load = load(cell.shape());
        if (!aged) {
          progress.say("writing every key " + scale.passes() + " times");
          Ageing.age(system, load, scale.passes());
          aged = true;
        }
        progress.say("running");
        CellResult result = run(cell, system, load, cluster, all, table);
        results.add(result);
        write(folder);
        progress.end(told(result));
      }
    }
    cluster.drop(table);
  }

  private TransactionSystem open(Systems all, String name, String table, ResultFolder folder) {
    return recordsHistories
        ? all.open(
            name, table, History.in(folder.directory().resolve("histories"), name + "-" + table))
        : all.open(name, table);
  }

  private CellResult run(
      Cell cell,
      TransactionSystem system,
      TransactionLoad load,
      RampCluster cluster,
      Systems all,
      String table)
      throws InterruptedException {
    Shape shape = cell.shape();
    RunResult run =
        new TransactionRun(system, load, KeyLaws.parse(shape.law(), shape.keys(), seed))
            .run(scale.warmUp(), scale.duration());
    double loadAverage = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    int sample = Math.min(SAMPLED_KEYS, shape.keys());
    return new CellResult(
        cell,
        run,
        all.versionsPerKey(cell.system(), table, sample),
        cluster.bytesOf(table) / (double) shape.keys(),
        loadAverage);
  }

  private TransactionLoad load(Shape shape) {
    return new TransactionLoad(
        shape.keys(), shape.size(), shape.readShare(), shape.valueBytes(), scale.clients(), seed);
  }

  private void write(ResultFolder folder) {
    List<Cell> leftOut =
        systems.stream()
            .flatMap(system -> scale.shapes().stream().map(shape -> new Cell(system, shape)))
            .filter(cell -> cell.whyLeftOut().isPresent())
            .toList();
    folder.write(results.stream().map(CellEntry::of).toList(), CellTable.of(results, leftOut));
  }

  private static String told(CellResult result) {
    RunResult run = result.run();
    return String.format(
        Locale.ROOT,
        "%,.0f transactions/s, reads %.1f ms, writes %.1f ms, second round %.1f %%, halves %,d of"
            + " %,d reads, %d failed",
        run.throughput(),
        run.readTimes().getMean() / 1e3,
        run.writeTimes().getMean() / 1e3,
        run.reads() == 0 ? 0 : run.secondRoundShare() * 100,
        run.fracturedReads(),
        run.reads(),
        run.failed());
  }
}
