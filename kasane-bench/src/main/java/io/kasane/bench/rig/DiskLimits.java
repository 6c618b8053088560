/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rig;

import io.kasane.disk.model.DiskSpec;
import io.kasane.disk.model.HardDiskSpec;
import io.kasane.disk.model.SolidStateSpec;
import java.util.Locale;

/**
 * The most that a disk may do in a second, as the kernel's throttle takes it: it has one price for
 * all requests, and separate budgets for reads and writes.
 *
 * @param readsPerSecond read requests
 * @param writesPerSecond write requests
 * @param bytesPerSecond bytes read, and as many written
 */
record DiskLimits(long readsPerSecond, long writesPerSecond, long bytesPerSecond) {
  /** Cassandra reads rows in compressed chunks of at most this size. */
  private static final int REQUEST_BYTES = 16 << 10;

  /** Returns what a disk does in a second if all requests are random ones. */
  static DiskLimits of(DiskSpec spec) {
    if (spec instanceof HardDiskSpec head) {
      double nanos =
          head.averageSeekNanos() + head.rotationNanos() / 2.0 + head.transferNanos(REQUEST_BYTES);
      long requests = Math.round(1e9 / nanos);
      return new DiskLimits(requests, requests, head.bytesPerSecond());
    }
    SolidStateSpec chips = (SolidStateSpec) spec;
    double transferNanos = chips.transferNanos(REQUEST_BYTES);
    return new DiskLimits(
        Math.round(chips.channels() * 1e9 / (chips.readNanos() + transferNanos)),
        Math.round(chips.channels() * 1e9 / (chips.writeNanos() + transferNanos)),
        chips.bytesPerSecond());
  }

  /** Returns the line for {@code io.max} of control groups, version 2. */
  String unified(DeviceNumber device) {
    return device
        + " rbps="
        + bytesPerSecond
        + " wbps="
        + bytesPerSecond
        + " riops="
        + readsPerSecond
        + " wiops="
        + writesPerSecond;
  }

  /** Returns how long so much work takes at the least, in nanoseconds. */
  double busyNanos(DeviceStatistics done) {
    double reading =
        Math.max(
            done.reads() / (double) readsPerSecond, done.readBytes() / (double) bytesPerSecond);
    double writing =
        Math.max(
            done.writes() / (double) writesPerSecond,
            done.writtenBytes() / (double) bytesPerSecond);
    return 1e9 * Math.max(reading, writing);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "at most %,d reads/s, %,d writes/s, %,.0f MB/s each way",
        readsPerSecond,
        writesPerSecond,
        bytesPerSecond / 1e6);
  }
}
