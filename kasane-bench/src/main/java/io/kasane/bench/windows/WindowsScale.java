/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import io.kasane.node.NodeException;
import java.time.Duration;

/**
 * How large the experiment is. A window is a minute, the least that Cassandra cuts.
 *
 * @param liveMinutes how long a row lives
 * @param settling what is loaded but not measured: what is read becomes known
 * @param measured what follows
 * @param rowsPerSecond of 1 KB that are written
 * @param sensors each has a partition a minute
 * @param readers threads that read one partition after the other
 * @param faster time-lapse of the modelled disks
 */
record WindowsScale(
    String name,
    int liveMinutes,
    Duration settling,
    Duration measured,
    int rowsPerSecond,
    int sensors,
    int readers,
    double faster) {
  static final int ROW_BYTES = 1_050;
  static final int WINDOW_SECONDS = 60;

  /** Of the rows that live. */
  static final double FAST_SHARE = 0.1;

  private static final double CACHE_SHARE = 0.01;
  private static final double MEMTABLE_SHARE = 0.015;

  /** Some windows have come and gone. */
  private static final int SETTLING_MINUTES = 3;

  static WindowsScale named(String name) {
    return switch (name) {
      case "smoke" -> of(name, 20, 4);
      case "small" -> of(name, 30, 15);
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small");
    };
  }

  private static WindowsScale of(String name, int liveMinutes, int measuredMinutes) {
    return new WindowsScale(
        name,
        liveMinutes,
        Duration.ofMinutes(SETTLING_MINUTES),
        Duration.ofMinutes(measuredMinutes),
        400,
        1_000,
        16,
        4);
  }

  WindowsScale lasting(Duration other) {
    return new WindowsScale(
        name, liveMinutes, settling, other, rowsPerSecond, sensors, readers, faster);
  }

  int liveSeconds() {
    return liveMinutes * WINDOW_SECONDS;
  }

  long liveBytes() {
    return (long) liveSeconds() * rowsPerSecond * ROW_BYTES;
  }

  long fastBytes() {
    return (long) (FAST_SHARE * liveBytes());
  }

  int cacheMib() {
    return (int) Math.max(1, (long) (CACHE_SHARE * liveBytes()) >> 20);
  }

  int memtableKib() {
    return (int) Math.max(256, (long) (MEMTABLE_SHARE * liveBytes()) >> 10);
  }
}
