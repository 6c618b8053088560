/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRole;
import io.kasane.bench.lab.Machine;
import io.kasane.node.NodeSettings;

/** What all rigs on the kernel's own disks share. */
final class RealDisks {
  /** Cassandra keeps so much of its file cache for itself. */
  private static final int RESERVED_CACHE_MIB = 32;

  private RealDisks() {}

  /**
   * Mapped files would bypass Cassandra's cache and its request sizes, which modelled disks see.
   */
  static void attach(NodeSettings.Builder node, Machine machine) {
    node.yaml("disk_access_mode", "standard")
        .yaml("file_cache_enabled", true)
        .yaml("file_cache_size", (RESERVED_CACHE_MIB + machine.cacheMib()) + "MiB");
  }

  static DiskRole role(String name) {
    return name.equals(DiskRole.FAST.label()) ? DiskRole.FAST : DiskRole.SLOW;
  }

  /** The kernel does not know why Cassandra asks. */
  static DiskCounters counters(DeviceStatistics done, double busyNanos) {
    return new DiskCounters(done.reads(), Double.NaN, done.writtenBytes(), Double.NaN, busyNanos);
  }
}
