/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.LoadRun;

/**
 * One second of a trial.
 *
 * @param load what clients saw
 * @param nodes what the nodes did meanwhile
 * @param memory what the nodes hold in memory at its end
 * @param sstablesPerHotKey in how many SSTables of a node a hot key has parts at the end of the
 *     second; NaN if nobody looked
 */
public record Sample(
    LoadRun.Second load, NodeCounters nodes, NodeMemory memory, double sstablesPerHotKey) {
  /** Returns the share of reads that the fast disk served. */
  public double fastReadShare() {
    return nodes.fastReadShare();
  }

  /**
   * Returns the share of reads that needed the slow disk or its files in memory; NaN if unknown.
   */
  public double slowReadShare() {
    return nodes.slowReadShare();
  }

  /** Returns how many SSTables a read looked into; NaN if there was none. */
  public double sstablesPerRead() {
    return nodes.sstablesPerRead();
  }

  /** Returns the share of the second that a disk worked, 0 to 1, mean of the nodes. */
  public double busy(DiskRole role) {
    return nodes.busy(role, load.seconds());
  }

  /** Returns what the disks of a role did. */
  public DiskCounters disk(DiskRole role) {
    return nodes.disk(role);
  }

  /** Returns how many cores the nodes used. */
  public double nodeCores() {
    return nodes.cpuNanos() / 1e9 / load.seconds();
  }
}
