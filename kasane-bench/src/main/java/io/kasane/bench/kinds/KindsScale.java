/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import io.kasane.node.NodeException;
import java.time.Duration;

/**
 * How large the experiment is.
 *
 * @param rows of 1 KB
 * @param warmUp before each measurement: the same load, not measured
 * @param duration of each measurement
 * @param clients threads, each with one operation at a time
 */
record KindsScale(String name, int rows, Duration warmUp, Duration duration, int clients) {
  private static final int CLIENTS = 16;
  private static final int ROW_BYTES = 1_100;
  private static final int MIN_MEMTABLE_MIB = 2;

  static KindsScale named(String name) {
    return switch (name) {
      case "smoke" -> of(name, 20_000, 3, 6);
      case "small" -> of(name, 100_000, 5, 20);
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small");
    };
  }

  private static KindsScale of(String name, int rows, int warmUpSeconds, int seconds) {
    return new KindsScale(
        name, rows, Duration.ofSeconds(warmUpSeconds), Duration.ofSeconds(seconds), CLIENTS);
  }

  KindsScale lasting(Duration other) {
    return new KindsScale(name, rows, warmUp, other, clients);
  }

  /** 4 % of the data: memory for files of a node on modelled disks. */
  int pageCacheMib() {
    return Math.max(1, (int) ((rows * (long) ROW_BYTES / 25) >> 20));
  }

  /** 4 % of the data, so that memtables are flushed several times while it is measured. */
  int memtableMib() {
    return Math.max(MIN_MEMTABLE_MIB, (int) ((rows * (long) ROW_BYTES / 25) >> 20));
  }
}
