/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import io.kasane.bench.lab.TemporaryPlace;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeSettings;
import java.io.PrintWriter;
import java.nio.file.Path;

/** A demonstration from boot to clean-up: whatever happens, no process and no directory stays. */
public final class DemoRun {
  /**
   * As small beside the fast quota as a real memtable is beside a real fast disk: the hot rows of
   * one flush must fit into the room that the quota leaves.
   */
  private static final String MEMTABLE_SPACE = "8MiB";

  /** Set by the start script, which can ask the shell whether stdout is a terminal. */
  private static final String TERMINAL_PROPERTY = "kasane.terminal";

  private final Distribution distribution;
  private final DemoSettings settings;
  private final boolean keep;
  private final Progress progress;

  /** Prepares a run that prints to {@code out}. */
  public DemoRun(Distribution distribution, DemoSettings settings, boolean keep, PrintWriter out) {
    this.distribution = distribution;
    this.settings = settings;
    this.keep = keep;
    this.progress = new Progress(out, Boolean.getBoolean(TERMINAL_PROPERTY));
  }

  /** Boots a node, runs the demonstration on it, stops it. */
  public DemoReport run() throws InterruptedException {
    Path dir = TemporaryPlace.create("kasane-demo");
    LocalCluster cluster =
        LocalCluster.builder(distribution, dir).isolated().each(this::configure).build();
    Thread cleaner = new Thread(() -> cleanUp(cluster, dir), "demo-clean-up");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      progress.step("Starting a node in " + dir + " ...");
      cluster.start();
      return new Demo(cluster.node(1), settings, progress).run();
    } finally {
      progress.endLine();
      if (Runtime.getRuntime().removeShutdownHook(cleaner)) {
        cleanUp(cluster, dir);
      }
    }
  }

  private void configure(NodeSettings.Builder node) {
    node.fastQuota(settings.fastQuota())
        .yaml("memtable_heap_space", MEMTABLE_SPACE)
        .yaml("memtable_offheap_space", MEMTABLE_SPACE);
  }

  private void cleanUp(LocalCluster cluster, Path dir) {
    if (keep) {
      cluster.stop();
      progress.step("Kept data and logs in " + dir);
    } else {
      // The data go with the process: there is nothing to save in an orderly stop.
      cluster.kill9();
      DirectoryUse.delete(dir);
    }
  }
}
