/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.bench.lab.DiskCounters;
import io.kasane.bench.lab.DiskRole;
import io.kasane.node.NodeSettings;

/** What all rigs on the kernel's own disks share. */
final class RealDisks {
  private RealDisks() {}

  /**
   * Mapped files would bypass Cassandra's cache and its request sizes, which modelled disks see.
   */
  static void attach(NodeSettings.Builder node) {
    node.yaml("disk_access_mode", "standard");
  }

  static DiskRole role(String name) {
    return name.equals(DiskRole.FAST.label()) ? DiskRole.FAST : DiskRole.SLOW;
  }

  /** The kernel does not know why Cassandra asks. */
  static DiskCounters counters(DeviceStatistics done, double busyNanos) {
    return new DiskCounters(done.reads(), done.writtenBytes(), Double.NaN, busyNanos);
  }
}
