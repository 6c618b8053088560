/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import java.util.EnumMap;
import java.util.Map;

/**
 * What nodes have done since their start, or between two moments.
 *
 * @param nodes how many nodes
 * @param disks by role
 * @param fastReads reads that needed no slow SSTable; 0 without Kasane
 * @param slowReads reads that did; 0 without Kasane
 * @param slowLookUps slow SSTables that reads looked into; 0 without Kasane
 * @param reads of one partition, on the replicas that served them
 * @param sstables that these reads looked into
 * @param refusedCompactions compactions that Cassandra gave up or cut short for lack of room
 * @param cpuNanos of the nodes' processes
 * @param gcMillis that the nodes spent collecting garbage
 */
public record NodeCounters(
    int nodes,
    Map<DiskRole, DiskCounters> disks,
    long fastReads,
    long slowReads,
    long slowLookUps,
    long reads,
    long sstables,
    long refusedCompactions,
    long cpuNanos,
    long gcMillis) {

  NodeCounters since(NodeCounters before) {
    Map<DiskRole, DiskCounters> difference = new EnumMap<>(DiskRole.class);
    disks.forEach((role, now) -> difference.put(role, now.since(before.disk(role))));
    return new NodeCounters(
        nodes,
        difference,
        fastReads - before.fastReads,
        slowReads - before.slowReads,
        slowLookUps - before.slowLookUps,
        reads - before.reads,
        sstables - before.sstables,
        refusedCompactions - before.refusedCompactions,
        cpuNanos - before.cpuNanos,
        gcMillis - before.gcMillis);
  }

  NodeCounters plus(NodeCounters other) {
    Map<DiskRole, DiskCounters> sum = new EnumMap<>(DiskRole.class);
    disks.forEach((role, one) -> sum.put(role, one.plus(other.disk(role))));
    return new NodeCounters(
        nodes + other.nodes,
        sum,
        fastReads + other.fastReads,
        slowReads + other.slowReads,
        slowLookUps + other.slowLookUps,
        reads + other.reads,
        sstables + other.sstables,
        refusedCompactions + other.refusedCompactions,
        cpuNanos + other.cpuNanos,
        gcMillis + other.gcMillis);
  }

  DiskCounters disk(DiskRole role) {
    return disks.getOrDefault(role, DiskCounters.NONE);
  }

  /** Returns the share of the time that disks of a role worked, 0 to 1, mean of the nodes. */
  double busy(DiskRole role, double seconds) {
    return Math.min(1, disk(role).busyNanos() / 1e9 / seconds / nodes);
  }

  /** Returns how many SSTables a read looked into; NaN if there was none. */
  double sstablesPerRead() {
    return sstables / (double) reads;
  }

  /**
   * Returns the share of reads that looked into a slow SSTable; what memtables answered counts as a
   * read that did not. NaN without Kasane.
   */
  double slowReadShare() {
    if (fastReads + slowReads == 0 || reads == 0) {
      return Double.NaN;
    }
    // A read counts as slow before it counts as a read, so a second may begin above one.
    return Math.min(1, Math.max(0, slowReads) / (double) reads);
  }

  /** Returns the share of the clients' reads of files that memory served; NaN if unknown. */
  public double memoryShare() {
    double memory = 0;
    double all = 0;
    for (DiskCounters disk : disks.values()) {
      memory += disk.clientMemoryReads();
      all += disk.clientMemoryReads() + disk.clientReads();
    }
    return memory / all;
  }

  /**
   * The share of disk reads that the fast disk served: with Kasane, of CQL reads that touched an
   * SSTable; without, of the requests that reached a disk, NaN where the rig cannot tell.
   */
  double fastReadShare() {
    // A read counts as fast until it looks into a slow SSTable, so a second may end below zero.
    double fast = Math.max(0, fastReads);
    double slow = Math.max(0, slowReads);
    if (fast + slow == 0) {
      fast = disk(DiskRole.FAST).clientReads();
      slow = disk(DiskRole.SLOW).clientReads();
    }
    return fast + slow == 0 ? 0 : fast / (fast + slow);
  }
}
