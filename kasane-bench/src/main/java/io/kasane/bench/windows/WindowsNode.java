/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRig;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.lab.ModelRig;
import io.kasane.node.ByteSize;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One fresh node on modelled disks with an empty table. */
final class WindowsNode implements AutoCloseable {
  private static final String KASANE =
      "org.apache.cassandra.metrics:type=Kasane,keyspace="
          + Readings.KEYSPACE
          + ",scope="
          + Readings.NAME
          + ",name=";
  private static final String TABLE =
      "org.apache.cassandra.metrics:type=Table,keyspace="
          + Readings.KEYSPACE
          + ",scope="
          + Readings.NAME
          + ",name=";
  private static final String PENDING =
      "org.apache.cassandra.metrics:type=Compaction,name=PendingTasks";
  private static final Duration MAX_COMPACTING = Duration.ofMinutes(5);
  private static final int QUIET_SECONDS = 3;
  private static final int SECOND_MILLIS = 1_000;
  private static final int CONCURRENT_READS = 32;
  private static final int KIB_PER_MIB = 1 << 10;
  private static final long SLOW_DISK_BYTES = 1L << 40;

  private final WindowsSystem system;
  private final DiskRig rig;
  private final LocalCluster cluster;
  private final CqlSession session;
  private final NodeJmx jmx;

  private WindowsNode(WindowsSystem system, DiskRig rig, LocalCluster cluster) throws IOException {
    this.system = system;
    this.rig = rig;
    this.cluster = cluster;
    this.session = cluster.connect();
    this.jmx = cluster.node(1).jmx();
  }

  static WindowsNode start(
      Distribution distribution, Path directory, WindowsSystem system, WindowsScale scale)
      throws IOException {
    DiskRig rig = new ModelRig(scale.faster());
    LocalCluster cluster =
        LocalCluster.builder(distribution, directory)
            .isolated()
            .each(node -> configure(node, rig, system, scale))
            .build();
    try {
      cluster.start();
      WindowsNode started = new WindowsNode(system, rig, cluster);
      Readings.create(started.session, scale.liveSeconds(), system.compaction());
      return started;
    } catch (IOException | RuntimeException e) {
      cluster.kill9();
      throw e;
    }
  }

  private static void configure(
      NodeSettings.Builder node, DiskRig rig, WindowsSystem system, WindowsScale scale) {
    NodeSettings place = node.build();
    List<DiskRig.Placed> disks = new ArrayList<>();
    disks.add(
        new DiskRig.Placed(
            DiskRole.SLOW.label(), DiskRole.SLOW, place.slow(), SLOW_DISK_BYTES, false));
    if (system.hasFast()) {
      disks.add(
          new DiskRig.Placed(
              DiskRole.FAST.label(),
              DiskRole.FAST,
              place.fast(),
              system.isKasane() ? scale.fastBytes() : SLOW_DISK_BYTES,
              system.isKasane()));
    }
    int spaceMib = (2 * scale.memtableKib() + KIB_PER_MIB - 1) / KIB_PER_MIB;
    node.withKasane(system.isKasane())
        .heap("1g")
        .yaml("local_system_data_file_directory", place.dir().resolve("system").toString())
        .yaml(
            "data_file_directories",
            disks.stream().map(disk -> disk.directory().toString()).toList())
        .yaml("memtable_heap_space", spaceMib + "MiB")
        .yaml("memtable_offheap_space", spaceMib + "MiB")
        .yaml("memtable_cleanup_threshold", scale.memtableKib() / (double) (spaceMib * KIB_PER_MIB))
        .yaml("concurrent_reads", CONCURRENT_READS)
        .yaml("compaction_throughput", "0MiB/s")
        // Cassandra compacts nothing on a disk that would keep less free, 50 MiB by default.
        .yaml("min_free_space_per_drive", "0MiB");
    if (system.isKasane()) {
      node.fastQuota(new ByteSize(scale.fastBytes()));
    }
    Machine machine =
        new Machine(
            scale.cacheMib(),
            scale.memtableKib(),
            CONCURRENT_READS,
            scale.readers(),
            0,
            SLOW_DISK_BYTES);
    rig.attach(node, place.dir(), disks, machine);
  }

  void flush() throws IOException {
    jmx.flush(Readings.KEYSPACE);
  }

  /** Old windows have been merged, so that all systems begin with the same. */
  void awaitCompactions() throws IOException, InterruptedException {
    long began = System.nanoTime();
    for (int quiet = 0; quiet < QUIET_SECONDS; ) {
      Thread.sleep(SECOND_MILLIS);
      quiet = number(PENDING, "Value") == 0 ? quiet + 1 : 0;
      if (System.nanoTime() - began > MAX_COMPACTING.toNanos()) {
        throw new NodeException(
            system.label()
                + " still compacts after "
                + MAX_COMPACTING.toSeconds()
                + " s; it takes a machine that has less to do");
      }
    }
  }

  CqlSession session() {
    return session;
  }

  DiskCounters disk(DiskRole role) throws IOException {
    return role == DiskRole.FAST && !system.hasFast()
        ? DiskCounters.NONE
        : rig.counters(jmx, role.label());
  }

  /** Reads that the fast disk served, or that needed the slow one; 0 without Kasane. */
  long reads(DiskRole role) throws IOException {
    String name = role == DiskRole.FAST ? "ReadsFast" : "ReadsSlow";
    return system.isKasane() ? number(KASANE + name, "Value") : 0;
  }

  /** What the table takes on a disk, in bytes. */
  long tableBytes(DiskRole role) {
    NodeSettings place = cluster.node(1).settings();
    Path directory = role == DiskRole.FAST ? place.fast() : place.slow();
    return DirectoryUse.of(directory.resolve(Readings.KEYSPACE)).bytes();
  }

  long sstables() throws IOException {
    return number(TABLE + "LiveSSTableCount", "Value");
  }

  long cpuNanos() {
    return cluster
        .node(1)
        .process()
        .orElseThrow(
            () -> new NodeException("the node has ended; see " + cluster.node(1).log().path()))
        .info()
        .totalCpuDuration()
        .orElse(Duration.ZERO)
        .toNanos();
  }

  private long number(String bean, String attribute) throws IOException {
    return ((Number) jmx.attribute(bean, attribute)).longValue();
  }

  /** The data are thrown away. */
  @Override
  public void close() throws IOException {
    try {
      jmx.close();
      session.close();
    } finally {
      cluster.kill9();
      DirectoryUse.delete(cluster.dir());
    }
  }
}
