/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.LoadRun;

/**
 * One second of a trial.
 *
 * @param load what clients saw
 * @param node what the node did meanwhile
 */
public record Sample(LoadRun.Second load, NodeProbe.Counters node) {
  /** Returns the share of reads that the fast disk served. */
  public double fastReadShare() {
    return node.fastReadShare();
  }

  /** Returns the share of the second that a disk worked, 0 to 1. */
  public double busy(DiskRole role) {
    return Math.min(1, node.disk(role).busyNanos() / 1e9 / load.seconds());
  }

  /** Returns what a disk did. */
  public DiskCounters disk(DiskRole role) {
    return node.disk(role);
  }

  /** Returns how many cores the node used. */
  public double nodeCores() {
    return node.cpuNanos() / 1e9 / load.seconds();
  }
}
