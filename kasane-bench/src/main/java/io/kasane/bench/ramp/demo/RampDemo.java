/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.demo;

import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.bench.ramp.RampCluster;
import io.kasane.bench.ramp.system.Systems;
import io.kasane.bench.report.LiveTable;
import io.kasane.node.Distribution;
import io.kasane.ramp.protocol.RampOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The same two lists of followers twice on one cluster, written with logged batches and with RAMP,
 * and read while they change. Leaves no process and no file behind.
 */
public final class RampDemo {
  private static final int NODES = 3;
  private static final Duration LOOK = Duration.ofMillis(500);

  private RampDemo() {}

  /**
   * Starts what it needs, shows it and takes it away again.
   *
   * @param duration how long the load runs
   * @return the exit code: 0 if it showed what it claims
   */
  public static int run(Distribution distribution, Duration duration, PrintWriter out)
      throws InterruptedException {
    try (TemporaryPlace place = new TemporaryPlace("kasane-demo")) {
      Path directory = place.directory();
      LiveTable.on(out)
          .step("Starting " + NODES + " nodes in " + directory + ", a minute or so ...");
      try (RampCluster cluster = RampCluster.start(distribution, directory, NODES)) {
        return run(cluster, duration, out);
      }
    }
  }

  /**
   * Runs on a cluster that is there.
   *
   * @return 0 if readers of transactions saw no halves
   */
  public static int run(RampCluster cluster, Duration duration, PrintWriter out)
      throws InterruptedException {
    LiveTable live = LiveTable.on(out);
    DemoScreen screen = new DemoScreen(live);
    Systems systems = new Systems(cluster.session(), RampCluster.KEYSPACE, RampOptions.defaults());
    live.step(
        """
        People follow and unfollow each other. An entry in the list of whom one follows and an entry
        in the list of the other's followers change in one transaction, and are read in one. A half:
        one entry is what a transaction wrote, the other is what was there before it.
        """);
    DemoSide.Counts lastBatch;
    DemoSide.Counts lastRamp;
    try (DemoSide batch = new DemoSide(systems.open(Systems.LOGGED_BATCH, "follows_batch"));
        DemoSide ramp = new DemoSide(systems.open(Systems.RAMP_FAST, "follows_ramp"))) {
      long began = System.nanoTime();
      batch.start();
      ramp.start();
      while (System.nanoTime() - began < duration.toNanos()) {
        screen.show((System.nanoTime() - began) / 1e9, batch.counts(), ramp.counts());
        Thread.sleep(LOOK.toMillis());
      }
      batch.stop();
      ramp.stop();
      lastBatch = batch.counts();
      lastRamp = ramp.counts();
    }
    screen.end(duration.toMillis() / 1e3, lastBatch, lastRamp);
    return lastRamp.halves() == 0 && lastRamp.reads() > 0 && lastBatch.reads() > 0 ? 0 : 1;
  }
}
