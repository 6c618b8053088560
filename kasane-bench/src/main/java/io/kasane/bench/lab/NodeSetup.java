/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeSettings;
import io.kasane.node.Rack;
import java.util.ArrayList;
import java.util.List;

/** The settings of nodes under test. */
final class NodeSetup {
  /** More than any trial writes. */
  private static final int UNBOUNDED_MEMTABLE_KIB = 200 << 10;

  private static final int KIB_PER_MIB = 1 << 10;
  private static final int HEAP_MIB = 1 << 10;
  private static final int MEMTABLE_MIB_IN_HEAP = 128;

  private NodeSetup() {}

  private static void base(NodeSettings.Builder node, NodePlace place, boolean kasane) {
    node.slow(place.slow())
        .fast(place.fast())
        .withKasane(kasane)
        .heap("1g")
        .yaml("local_system_data_file_directory", place.directory().resolve("system").toString());
  }

  /** Makes a node one to prepare data with: no limits, default caches. */
  static void unhurried(NodeSettings.Builder node, NodePlace place, boolean kasane) {
    base(node, place, kasane);
    if (!kasane) {
      node.yaml("data_file_directories", List.of(place.slow().toString()));
    }
  }

  /**
   * Returns the data directories of a contestant, and the disks they lie on.
   *
   * @param fastBytes what the fast disk holds
   */
  static List<DiskRig.Placed> disks(
      NodePlace place, Contestant contestant, Machine machine, long fastBytes) {
    List<DiskRig.Placed> disks = new ArrayList<>();
    if (contestant.disks().contains(DiskRole.SLOW)) {
      disks.add(
          new DiskRig.Placed("slow", DiskRole.SLOW, place.slow(), machine.slowDiskBytes(), false));
      if (contestant.disks().contains(DiskRole.FAST)) {
        disks.add(
            new DiskRig.Placed(
                "fast", DiskRole.FAST, place.fast(), fastBytes, contestant.kasane()));
      }
    } else {
      disks.add(
          new DiskRig.Placed(
              "fast", DiskRole.FAST, place.slowOnFast(), machine.slowDiskBytes(), false));
    }
    return disks;
  }

  /**
   * Makes a node one to be measured.
   *
   * @param fastBytes Kasane's quota
   */
  static void measured(
      NodeSettings.Builder node,
      NodePlace place,
      Contestant contestant,
      DiskRig rig,
      Machine machine,
      long fastBytes) {
    base(node, place, contestant.kasane());
    if (contestant.kasane()) {
      node.fastQuota(new ByteSize(fastBytes));
    }
    List<DiskRig.Placed> disks = disks(place, contestant, machine, fastBytes);
    int memtableKib = contestant.flushes() ? machine.memtableKib() : UNBOUNDED_MEMTABLE_KIB;
    int spaceMib = Math.max(1, (2 * memtableKib + KIB_PER_MIB - 1) / KIB_PER_MIB);
    node.heap(heapMib(contestant.flushes() ? memtableKib / KIB_PER_MIB : 0) + "m")
        .yaml(
            "data_file_directories",
            disks.stream().map(disk -> disk.directory().toString()).toList())
        .yaml("memtable_heap_space", spaceMib + "MiB")
        .yaml("memtable_offheap_space", spaceMib + "MiB")
        .yaml("memtable_cleanup_threshold", memtableKib / (double) (spaceMib * KIB_PER_MIB))
        .yaml("concurrent_reads", machine.concurrentReads())
        .yaml("compaction_throughput", "0MiB/s")
        // Cassandra compacts nothing on a disk that would keep less free: by default 50 MiB, which
        // no scaled-down fast disk has, so that stock nodes would soon compact nothing at all.
        .yaml("min_free_space_per_drive", "0MiB");
    readFromItself(node);
    rig.attach(node, place.directory(), disks, machine);
  }

  /** A memtable that is flushed and the one after it leave room for all else. */
  private static int heapMib(int memtableMib) {
    return HEAP_MIB + 4 * Math.max(0, memtableMib - MEMTABLE_MIB_IN_HEAP);
  }

  /**
   * A node reads its own replica. By default Cassandra turns to the replica that answered fastest
   * lately and lets go of the others, for minutes: in 5 of 15 trials the three disks were busy 72
   * to 79 % of the time, in the others 89 to 100 %, and throughput followed that.
   */
  private static void readFromItself(NodeSettings.Builder node) {
    node.in(Rack.of("rack1")).yaml("dynamic_snitch", false);
  }
}
