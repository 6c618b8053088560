/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import io.kasane.bench.load.CheckedCells;
import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.LoadRun;
import io.kasane.bench.load.Mix;
import io.kasane.bench.load.OperationLog;
import io.kasane.bench.load.Table;
import io.kasane.bench.load.Verification;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One contestant under one load on nodes that each have the same disks.
 *
 * @param contestant the system
 * @param law which keys
 * @param skew the law's exponent, for reports
 * @param mix of reads and updates
 * @param fastShareOfData how much of the data the fast disk holds, 0 to 1
 * @param machine memory, threads and clients
 * @param warmUp how long clients only read before anything is measured
 * @param duration of the load
 * @param seed decides keys
 */
public record Trial(
    Contestant contestant,
    KeyLaw law,
    double skew,
    Mix mix,
    double fastShareOfData,
    Machine machine,
    Duration warmUp,
    Duration duration,
    long seed) {

  private static final int VERIFIED_ROWS = 200;
  private static final int WATCHED_KEYS = 24;
  private static final int WATCH_SECONDS = 5;
  private static final double HOT_SHARE_OF_KEYS = 0.01;

  /** The law's exponent, {@code s = 0.99}; what the law is where it has none. */
  public String keys() {
    String described = law.describe();
    return described.contains("s=") ? "s = %.2f".formatted(skew) : described;
  }

  /** The same as part of a file's name. */
  public String keysInName() {
    return keys().replace(" = ", "").replaceAll("[^A-Za-z0-9.]+", "-");
  }

  /** Returns a name that can be a file's. */
  public String label() {
    return "%s-%s-%s-%s"
        .formatted(
            contestant.name(),
            keysInName(),
            mix.toString().replace('/', '-').replace(' ', '-'),
            contestant.disks().contains(DiskRole.FAST)
                ? "fast" + Math.round(fastShareOfData * 100)
                : "cache" + machine.cacheMib());
  }

  /**
   * Runs the trial on a fresh copy of the data.
   *
   * @param files path to which {@code .hlog} is added for the latencies of each second, and {@code
   *     .log} for the first node's log
   */
  public TrialResult run(Dataset dataset, DiskRig rig, Path files, Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("starting");
    Files.createDirectories(files.getParent());
    Contestant placed = prepare(dataset);
    long fastBytes = Math.round(fastShareOfData * dataset.bytes()) * contestant.ahead().fastDisks();
    NodePlace place = dataset.place();
    LocalCluster cluster =
        dataset
            .cluster()
            .with(
                node -> {
                  NodePlace own = place.node(node.build().index());
                  NodeSetup.measured(node, own, placed, rig, machine, fastBytes);
                });
    List<DiskRig.Placed> disks =
        cluster.nodes().stream()
            .map(node -> place.node(node.settings().index()))
            .flatMap(own -> NodeSetup.disks(own, placed, machine, fastBytes).stream())
            .toList();
    try (DiskRig.Turn turn = rig.begin(disks)) {
      try {
        cluster.start(process -> admit(turn, process));
        return measure(cluster, placed, dataset, rig, ended(files, ".hlog"), progress);
      } finally {
        cluster.kill9();
        keep(cluster.node(1).log().path(), ended(files, ".log"));
      }
    } finally {
      dataset.clear();
    }
  }

  private static Path ended(Path files, String extension) {
    return files.resolveSibling(files.getFileName() + extension);
  }

  private static void admit(DiskRig.Turn turn, ProcessHandle node) {
    try {
      turn.admit(node);
    } catch (IOException e) {
      throw new NodeException("the disks' limits cannot be set for a node: " + e.getMessage(), e);
    }
  }

  private static void keep(Path log, Path copy) throws IOException {
    if (Files.exists(log)) { // a node that did not start has none
      Files.copy(log, copy);
    }
  }

  private Contestant prepare(Dataset dataset) throws IOException, InterruptedException {
    if (!contestant.disks().contains(DiskRole.SLOW)) {
      dataset.restoreOnFast();
      return contestant;
    }
    if (contestant.ahead().isNothing()) {
      dataset.restoreUnplaced();
      return contestant;
    }
    double placedShare = fastShareOfData * contestant.ahead().shareOfFast();
    int[] hottest = law.hottest((int) (dataset.rows() * placedShare), 0);
    String name = "hottest-s%.2f-%d".formatted(skew, hottest.length);
    Path list = dataset.keyList(name, hottest);
    Contestant oracle = contestant.placing(list.getFileName().toString());
    dataset.restorePlaced(list, oracle);
    return oracle;
  }

  private TrialResult measure(
      LocalCluster cluster,
      Contestant placed,
      Dataset dataset,
      DiskRig rig,
      Path latencies,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    boolean replicated = cluster.nodes().size() > 1;
    CheckedCells cells = new CheckedCells(dataset.rows(), Table.FIELDS, replicated);
    List<Sample> samples = new ArrayList<>();
    List<String> watched = replicated ? watchedKeys(dataset.rows()) : List.of();
    try (OperationLog log = new OperationLog(dataset.rows(), latencies);
        CqlSession session = cluster.connect();
        ClusterProbe probe = new ClusterProbe(cluster, placed, rig)) {
      alterTable(session, placed);
      long firstTimestampMicros = TimeUnit.MILLISECONDS.toMicros(Instant.now().toEpochMilli());
      warmUp(session, cells, dataset.rows(), firstTimestampMicros, progress);
      probe.measure();
      LoadRun load = new LoadRun(session, machine.clientThreads(), machine.clientRate(), duration);
      NodeCounters begin = probe.counters();
      NodeCounters[] last = {begin};
      double[] nextLookSeconds = {0};
      long ownCpuBefore = ownCpuNanos();
      load.run(
          law,
          mix,
          cells,
          log,
          firstTimestampMicros,
          seed,
          second -> {
            NodeCounters now = probe.counters();
            boolean looks = !watched.isEmpty() && second.atSeconds() >= nextLookSeconds[0];
            if (looks) {
              nextLookSeconds[0] = second.atSeconds() + WATCH_SECONDS;
            }
            double holders = looks ? probe.sstablesHolding(watched) : Double.NaN;
            samples.add(new Sample(second, now.since(last[0]), probe.memory(), holders));
            last[0] = now;
            progress.accept(
                "%.0f of %d s, %,.0f ops/s"
                    .formatted(
                        second.atSeconds(), duration.toSeconds(), second.operationsPerSecond()));
          });
      long ownCpu = ownCpuNanos() - ownCpuBefore;
      if (replicated) {
        progress.accept("reading from all replicas");
        Verification.read(session, cells, verifiedRows(dataset.rows()));
      }
      return TrialResult.of(
          this,
          samples,
          last[0].since(begin),
          ownCpu,
          dataset.isUntouched(),
          limit(dataset.rows(), rig),
          cells,
          log);
    }
  }

  private double limit(int rows, DiskRig rig) {
    long inMemory = ((long) machine.cacheMib() << 20) / Limit.BLOCK_BYTES;
    int inFront = (int) Math.min(rows, Math.round(fastShareOfData * rows) + inMemory);
    double requestNanos = rig.slowReadNanos(Limit.BLOCK_BYTES);
    return Limit.operationsPerSecond(law, mix, inFront, requestNanos);
  }

  private static void alterTable(CqlSession session, Contestant placed) {
    try {
      session.execute(placed.alterTable(Table.QUALIFIED));
    } catch (QueryValidationException e) {
      throw new NodeException(
          "the compaction options of " + placed.name() + " are refused: " + e.getMessage(), e);
    }
  }

  private void warmUp(
      CqlSession session,
      CheckedCells cells,
      int rows,
      long firstTimestampMicros,
      Consumer<String> progress)
      throws InterruptedException {
    if (!warmUp.isZero()) {
      progress.accept("warming up");
      new LoadRun(session, machine.clientThreads(), 0, warmUp)
          .run(
              law,
              Mix.constant(1),
              cells,
              OperationLog.unwritten(rows),
              firstTimestampMicros,
              seed,
              second -> {});
    }
  }

  /** Some of the hottest hundredth of the keys, from the hottest one on. */
  private List<String> watchedKeys(int rows) {
    int[] hottest = law.hottest((int) Math.max(WATCHED_KEYS, rows * HOT_SHARE_OF_KEYS), 0);
    int step = Math.max(1, hottest.length / WATCHED_KEYS);
    return IntStream.range(0, hottest.length / step)
        .mapToObj(i -> Table.key(hottest[i * step]))
        .toList();
  }

  /** Half of them the hottest ones, half of them at random. */
  private IntStream verifiedRows(int rows) {
    return IntStream.concat(
        IntStream.of(law.hottest(VERIFIED_ROWS / 2, 1)),
        new SplittableRandom(seed).ints(VERIFIED_ROWS / 2, 0, rows));
  }

  private static long ownCpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }
}
