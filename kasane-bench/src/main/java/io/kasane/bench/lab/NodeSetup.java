/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeSettings;
import io.kasane.node.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The settings of nodes under test. */
final class NodeSetup {
  /** Cassandra keeps so much of its file cache for itself. */
  private static final int RESERVED_CACHE_MIB = 32;

  private NodeSetup() {}

  private static NodeSettings.Builder base(Path directory, boolean kasane) {
    return NodeSettings.builder(directory)
        .network(Ports.freeNetwork(1))
        .jmxPort(Ports.freeLoopbackPorts(1).get(0))
        .withKasane(kasane)
        .heap("1g")
        .yaml("local_system_data_file_directory", directory.resolve("system").toString());
  }

  /** A node to prepare data with: real directories, default caches. */
  static NodeSettings unhurried(Path directory, boolean kasane) {
    NodeSettings.Builder node = base(directory, kasane);
    if (!kasane) {
      node.yaml("data_file_directories", List.of(directory.resolve("slow").toString()));
    }
    return node.build();
  }

  /**
   * A node to be measured.
   *
   * @param fastBytes what the fast disk holds, and Kasane's quota
   */
  static NodeSettings measured(
      Path directory, Contestant contestant, DiskRig rig, Machine machine, long fastBytes) {
    NodeSettings.Builder node = base(directory, contestant.kasane());
    Path slow = directory.resolve("slow");
    Path fast = directory.resolve("fast");
    List<DiskRig.Placed> disks = new ArrayList<>();
    List<String> data = new ArrayList<>();
    if (contestant.disks().contains(DiskRole.SLOW)) {
      disks.add(new DiskRig.Placed("slow", DiskRole.SLOW, slow, machine.slowDiskBytes()));
      data.add(slow.toString());
      if (contestant.disks().contains(DiskRole.FAST)) {
        disks.add(new DiskRig.Placed("fast", DiskRole.FAST, fast, fastBytes));
        data.add(fast.toString());
      }
    } else {
      // The prepared data lie in this directory, whatever disk it is on.
      disks.add(new DiskRig.Placed("fast", DiskRole.FAST, slow, machine.slowDiskBytes()));
      data.add(slow.toString());
    }
    if (contestant.kasane()) {
      node.fastQuota(new ByteSize(fastBytes));
    }
    node.yaml("data_file_directories", data)
        .yaml("file_cache_size", (RESERVED_CACHE_MIB + machine.cacheMib()) + "MiB")
        .yaml("memtable_heap_space", machine.memtableMib() + "MiB")
        .yaml("memtable_offheap_space", machine.memtableMib() + "MiB")
        .yaml("memtable_cleanup_threshold", 0.5)
        .yaml("concurrent_reads", machine.concurrentReads())
        .yaml("compaction_throughput", "0MiB/s");
    rig.attach(node, directory, disks);
    return node.build();
  }
}
