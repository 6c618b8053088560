/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The settings of nodes under test. */
final class NodeSetup {
  /** Cassandra keeps so much of its file cache for itself. */
  private static final int RESERVED_CACHE_MIB = 32;

  /** More than any trial writes. */
  private static final int UNBOUNDED_MEMTABLE_MIB = 400;

  private NodeSetup() {}

  private static Path base(NodeSettings.Builder node, boolean kasane) {
    Path directory = node.build().dir();
    node.withKasane(kasane)
        .heap("1g")
        .yaml("local_system_data_file_directory", directory.resolve("system").toString());
    return directory;
  }

  /** A node to prepare data with: real directories, default caches. */
  static void unhurried(NodeSettings.Builder node, boolean kasane) {
    Path directory = base(node, kasane);
    if (!kasane) {
      node.yaml("data_file_directories", List.of(directory.resolve("slow").toString()));
    }
  }

  /**
   * A node to be measured.
   *
   * @param fastBytes what the fast disk holds, and Kasane's quota
   */
  static void measured(
      NodeSettings.Builder node,
      Contestant contestant,
      DiskRig rig,
      Machine machine,
      long fastBytes) {
    Path directory = base(node, contestant.kasane());
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
    int memtableMib = contestant.flushes() ? machine.memtableMib() : UNBOUNDED_MEMTABLE_MIB;
    node.yaml("data_file_directories", data)
        .yaml("file_cache_enabled", true)
        .yaml("file_cache_size", (RESERVED_CACHE_MIB + machine.cacheMib()) + "MiB")
        .yaml("memtable_heap_space", memtableMib + "MiB")
        .yaml("memtable_offheap_space", memtableMib + "MiB")
        .yaml("memtable_cleanup_threshold", 0.5)
        .yaml("concurrent_reads", machine.concurrentReads())
        .yaml("compaction_throughput", "0MiB/s");
    rig.attach(node, directory, disks);
  }
}
