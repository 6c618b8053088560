/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.Table;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What can be read off a running node at any time. */
final class NodeProbe implements AutoCloseable {
  private static final String KASANE =
      "org.apache.cassandra.metrics:type=Kasane,keyspace="
          + Table.KEYSPACE
          + ",scope="
          + Table.NAME
          + ",name=";
  private static final String TABLE =
      "org.apache.cassandra.metrics:type=Table,keyspace="
          + Table.KEYSPACE
          + ",scope="
          + Table.NAME
          + ",name=";

  private final LocalNode node;
  private final Contestant contestant;
  private final DiskRig rig;
  private final NodeJmx jmx;

  NodeProbe(LocalNode node, Contestant contestant, DiskRig rig) throws IOException {
    this.node = node;
    this.contestant = contestant;
    this.rig = rig;
    this.jmx = node.jmx();
  }

  /**
   * Counters of a node, since its start.
   *
   * @param disks by role; empty if the rig cannot tell
   * @param fastReads reads that needed no slow SSTable; 0 without Kasane
   * @param slowReads reads that did
   * @param cpuNanos of the node's process
   */
  record Counters(
      Map<DiskRole, DiskCounters> disks, long fastReads, long slowReads, long cpuNanos) {
    Counters since(Counters before) {
      Map<DiskRole, DiskCounters> difference = new EnumMap<>(DiskRole.class);
      disks.forEach((role, now) -> difference.put(role, now.since(before.disk(role))));
      return new Counters(
          difference,
          fastReads - before.fastReads,
          slowReads - before.slowReads,
          cpuNanos - before.cpuNanos);
    }

    DiskCounters disk(DiskRole role) {
      return disks.getOrDefault(role, DiskCounters.NONE);
    }

    /**
     * The share of disk reads that the fast disk served: with Kasane, of CQL reads that touched an
     * SSTable; without, of the requests that reached a disk.
     */
    double fastReadShare() {
      // A read counts as fast until it looks into a slow SSTable, so a second may end below zero.
      long fast = Math.max(0, fastReads);
      long slow = Math.max(0, slowReads);
      if (fast + slow == 0) {
        fast = disk(DiskRole.FAST).clientReads();
        slow = disk(DiskRole.SLOW).clientReads();
      }
      return fast + slow == 0 ? 0 : fast / (double) (fast + slow);
    }
  }

  Counters counters() throws IOException {
    Map<DiskRole, DiskCounters> disks = new EnumMap<>(DiskRole.class);
    for (DiskRole role : contestant.disks()) {
      Optional<DiskCounters> counters = rig.counters(jmx, role.label());
      counters.ifPresent(seen -> disks.put(role, seen));
    }
    boolean kasane = contestant.kasane();
    return new Counters(
        disks,
        kasane ? number(KASANE + "ReadsFast", "Value") : 0,
        kasane ? number(KASANE + "ReadsSlow", "Value") : 0,
        node.process()
            .flatMap(process -> process.info().totalCpuDuration())
            .orElseThrow(() -> new NodeException(node + " has ended; see " + node.log().path()))
            .toNanos());
  }

  /** The mean of Cassandra's own histogram, which weighs recent reads more. */
  double sstablesPerRead() throws IOException {
    return ((Number) jmx.attribute(TABLE + "SSTablesPerReadHistogram", "Mean")).doubleValue();
  }

  private long number(String bean, String attribute) throws IOException {
    return ((Number) jmx.attribute(bean, attribute)).longValue();
  }

  @Override
  public void close() throws IOException {
    jmx.close();
  }
}
