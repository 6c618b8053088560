/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma;

import io.kasane.bench.load.KeyLaws;
import io.kasane.bench.ramp.load.Ageing;
import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.load.TransactionLoad;
import io.kasane.bench.ramp.load.TransactionRun;
import io.kasane.bench.rdma.client.OneSided;
import io.kasane.bench.report.Progress;
import io.kasane.bench.report.ResultFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All cells, contestants by turns. */
final class RdmaExperiment {
  private static final List<Integer> CLIENTS = List.of(1, 2, 4, 8);
  private static final Duration PILOT = Duration.ofSeconds(2);

  private record Cell(Contestant contestant, Shape shape) {}

  private final RdmaScale scale;
  private final long seed;
  private final List<Contestant> contestants;
  private final int servers;
  private final int clients;
  private final Optional<String> leftOut;
  private final Map<Cell, Measured> results = new LinkedHashMap<>();
  private final Map<String, Map<Integer, Double>> pilots = new LinkedHashMap<>();

  /**
   * An experiment.
   *
   * @param servers of each transport
   * @param clients threads; 0 for as many as give the most
   * @param leftOut why some contestants are not among them, if so
   */
  RdmaExperiment(
      RdmaScale scale,
      long seed,
      List<Contestant> contestants,
      int servers,
      int clients,
      Optional<String> leftOut) {
    this.leftOut = leftOut;
    this.scale = scale;
    this.seed = seed;
    this.contestants = contestants;
    this.servers = servers;
    this.clients = clients;
  }

  int steps() {
    int cells = scale.shapes().stream().mapToInt(shape -> running(shape.kind()).size()).sum();
    return cells * scale.turns();
  }

  private List<Contestant> running(Shape.Kind kind) {
    return contestants.stream().filter(one -> one.runs(kind)).toList();
  }

  boolean isRight() {
    return results.values().stream().allMatch(Measured::isRight);
  }

  /**
   * Runs all cells and draws the figures.
   *
   * @param shared a directory in shared memory
   * @param disk a directory for nodes
   */
  void run(Path shared, Path disk, ResultFolder folder, Progress progress)
      throws IOException, InterruptedException {
    for (Shape.Kind kind : scale.shapes().stream().map(Shape::kind).distinct().toList()) {
      try (Stores stores = new Stores(kind, running(kind), servers, shared, disk)) {
        if (clients == 0) {
          pilot(kind, stores, progress);
        }
        for (Shape shape : scale.shapes()) {
          if (shape.kind().equals(kind)) {
            run(shape, stores, folder, progress);
          }
        }
      }
    }
    new RdmaFigures(folder, List.copyOf(results.values()), contestants).draw();
    write(folder);
  }

  /** As many clients as give the most, of each transport; both compilers have seen all then. */
  private void pilot(Shape.Kind kind, Stores stores, Progress progress)
      throws InterruptedException {
    Shape shape = RdmaScale.pilot(kind);
    for (Contestant contestant : running(kind)) {
      if (!pilots.containsKey(carrier(contestant))) {
        progress.say("how many clients are best for " + contestant.label());
        Ageing.age(stores.of(contestant).system(), load(shape, 1), 1);
        Map<Integer, Double> own = new LinkedHashMap<>();
        for (int count : CLIENTS) {
          own.put(count, timed(contestant, shape, count, stores, PILOT, PILOT).throughput());
        }
        pilots.put(carrier(contestant), own);
      }
    }
  }

  private static String carrier(Contestant contestant) {
    return contestant.store().label() + ", " + contestant.transport().label();
  }

  private int clientsOf(Contestant contestant) {
    return clients > 0
        ? clients
        : pilots.get(carrier(contestant)).entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .orElseThrow()
            .getKey();
  }

  /** By turns, each in another order. */
  private void run(Shape shape, Stores stores, ResultFolder folder, Progress progress)
      throws InterruptedException {
    List<Contestant> running = running(shape.kind());
    for (Contestant contestant : running) {
      Ageing.age(stores.of(contestant).system(), load(shape, 1), 1);
    }
    for (int turn = 0; turn < scale.turns(); turn++) {
      for (int place = 0; place < running.size(); place++) {
        Contestant contestant = running.get((place + turn) % running.size());
        progress.begin(contestant.label() + ", " + shape.describe());
        Measured measured = measure(contestant, shape, stores);
        results.merge(new Cell(contestant, shape), measured, Measured::plus);
        write(folder);
        progress.end(told(measured));
      }
    }
  }

  private Measured measure(Contestant contestant, Shape shape, Stores stores)
      throws InterruptedException {
    int count = clientsOf(contestant);
    timed(contestant, shape, count, stores, scale.warmUp(), Duration.ZERO);
    Served served = stores.of(contestant);
    OneSided before = served.oneSided().get();
    Duration busy = served.busy().get();
    Duration cpu = served.cpu().get();
    RunResult run = timed(contestant, shape, count, stores, Duration.ZERO, scale.duration());
    return new Measured(
        contestant,
        shape,
        run,
        List.of(run.throughput()),
        count,
        served.busy().get().minus(busy),
        served.cpu().get().minus(cpu),
        served.oneSided().get().since(before));
  }

  private RunResult timed(
      Contestant contestant,
      Shape shape,
      int count,
      Stores stores,
      Duration warmUp,
      Duration duration)
      throws InterruptedException {
    return new TransactionRun(
            stores.of(contestant).system(),
            load(shape, count),
            KeyLaws.parse("uniform", shape.keys(), seed))
        .run(warmUp, duration);
  }

  private TransactionLoad load(Shape shape, int count) {
    return new TransactionLoad(
        shape.keys(), shape.size(), shape.readShare(), shape.valueBytes(), count, seed);
  }

  private void write(ResultFolder folder) {
    List<Measured> all = List.copyOf(results.values());
    folder.write(all.stream().map(RdmaEntry::of).toList(), RdmaTable.of(all, pilots, leftOut));
  }

  private static String told(Measured measured) {
    RunResult run = measured.run();
    return String.format(
        Locale.ROOT,
        "%,.0f transactions/s, reads %.1f us, writes %.1f us, server %.2f us, %.1f %% without it,"
            + " halves %,d of %,d reads, %d failed",
        run.throughput(),
        run.readTimes().getMean() / 1e3,
        run.writeTimes().getMean() / 1e3,
        measured.serverMicros(),
        measured.oneSided().share() * 100,
        run.fracturedReads(),
        run.reads(),
        run.failed());
  }
}
