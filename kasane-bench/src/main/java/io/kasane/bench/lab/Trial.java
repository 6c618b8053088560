/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.load.CheckedCells;
import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.LoadRun;
import io.kasane.bench.load.Mix;
import io.kasane.bench.load.OperationLog;
import io.kasane.bench.load.Table;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One contestant under one load on one pair of disks.
 *
 * @param contestant the system
 * @param law which keys
 * @param skew the law's exponent, for reports
 * @param mix of reads and updates
 * @param fastShareOfData how much of the data the fast disk holds, 0 to 1
 * @param duration of the load
 * @param seed decides keys
 */
public record Trial(
    Contestant contestant,
    KeyLaw law,
    double skew,
    Mix mix,
    double fastShareOfData,
    Duration duration,
    long seed) {

  /**
   * A perfect placement fills its share with rows; updates of them and compaction have room beside
   * it, so that it is a ceiling and no one's plan.
   */
  private static final int ORACLE_ROOM = 4;

  /** Returns a name that can be a file's. */
  public String label() {
    return "%s-s%.2f-%s-fast%d"
        .formatted(
            contestant.name(),
            skew,
            mix.toString().replace('/', '-').replace(' ', '-'),
            Math.round(fastShareOfData * 100));
  }

  /**
   * Runs the trial on a fresh copy of the data.
   *
   * @param logCopy where the node's log is to be kept
   */
  public TrialResult run(
      Distribution distribution,
      Dataset dataset,
      DiskRig rig,
      Machine machine,
      Path logCopy,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    progress.accept("starting");
    Contestant placed = prepare(dataset);
    long fastBytes = Math.round(fastShareOfData * dataset.bytes());
    if (contestant.startsPlaced()) {
      fastBytes *= ORACLE_ROOM;
    }
    NodeSettings settings =
        NodeSetup.measured(dataset.nodeDirectory(), placed, rig, machine, fastBytes);
    LocalNode node = new LocalNode(distribution, settings);
    try {
      node.start().waitUntilReady();
      return measure(node, placed, dataset, rig, machine, progress);
    } finally {
      node.kill9();
      if (Files.exists(node.log().path())) { // a node that did not start has none
        Files.createDirectories(logCopy.getParent());
        Files.copy(node.log().path(), logCopy);
      }
      dataset.clear();
    }
  }

  private Contestant prepare(Dataset dataset) throws IOException, InterruptedException {
    if (!contestant.startsPlaced()) {
      dataset.restoreUnplaced();
      return contestant;
    }
    int[] hottest = law.hottest((int) (dataset.rows() * fastShareOfData), 0);
    String name = "hottest-s%.2f-%d".formatted(skew, hottest.length);
    Path list = dataset.keyList(name, hottest);
    Contestant oracle = Contestant.oracle(list.toString());
    dataset.restorePlaced(list, oracle);
    return oracle;
  }

  private TrialResult measure(
      LocalNode node,
      Contestant placed,
      Dataset dataset,
      DiskRig rig,
      Machine machine,
      Consumer<String> progress)
      throws IOException, InterruptedException {
    CheckedCells cells = new CheckedCells(dataset.rows(), Table.FIELDS);
    OperationLog log = new OperationLog();
    List<Sample> samples = new ArrayList<>();
    try (CqlSession session = node.connect();
        NodeProbe probe = new NodeProbe(node, placed, rig)) {
      session.execute(placed.alterTable(Table.QUALIFIED));
      LoadRun load = new LoadRun(session, machine.clientThreads(), duration);
      NodeProbe.Counters begin = probe.counters();
      NodeProbe.Counters[] last = {begin};
      long ownCpuBefore = ownCpuNanos();
      load.run(
          law,
          mix,
          cells,
          log,
          TimeUnit.MILLISECONDS.toMicros(Instant.now().toEpochMilli()),
          seed,
          second -> {
            try {
              NodeProbe.Counters now = probe.counters();
              samples.add(new Sample(second, now.since(last[0])));
              last[0] = now;
            } catch (IOException e) {
              throw new NodeException("the node does not answer over JMX: " + e.getMessage(), e);
            }
            progress.accept(
                "%.0f of %d s, %,.0f ops/s"
                    .formatted(
                        second.atSeconds(), duration.toSeconds(), second.operationsPerSecond()));
          });
      return TrialResult.of(
          this,
          samples,
          last[0].since(begin),
          ownCpuNanos() - ownCpuBefore,
          probe.sstablesPerRead(),
          cells,
          log);
    }
  }

  private static long ownCpuNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }
}
