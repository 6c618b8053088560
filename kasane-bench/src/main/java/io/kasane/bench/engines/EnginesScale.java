/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.engines;

import io.kasane.node.NodeException;
import java.time.Duration;

/**
 * How large the experiment is.
 *
 * @param fittingRows of 1 KB, where memory holds them
 * @param beyondRows of 1 KB, where it does not
 * @param warmUp before each workload: the same load, not measured
 * @param duration of each workload
 * @param rounds how often all systems take their turn
 * @param clients threads, each with one operation at a time
 */
record EnginesScale(
    String name,
    int fittingRows,
    int beyondRows,
    Duration warmUp,
    Duration duration,
    int rounds,
    int clients) {
  private static final int CLIENTS = 16;
  private static final int ROW_BYTES = 1_100;

  /** The page cache's share of the data where these are beyond memory. */
  private static final double CACHE_SHARE = 0.25;

  private static final int MIN_MEMTABLE_MIB = 2;

  static EnginesScale named(String name) {
    return switch (name) {
      case "smoke" -> of(name, 20_000, 100_000, 3, 6);
      case "small" -> of(name, 100_000, 200_000, 5, 20);
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small");
    };
  }

  private static EnginesScale of(
      String name, int fittingRows, int beyondRows, int warmUpSeconds, int seconds) {
    return new EnginesScale(
        name,
        fittingRows,
        beyondRows,
        Duration.ofSeconds(warmUpSeconds),
        Duration.ofSeconds(seconds),
        1,
        CLIENTS);
  }

  EnginesScale lasting(Duration other) {
    return new EnginesScale(name, fittingRows, beyondRows, warmUp, other, rounds, clients);
  }

  EnginesScale repeated(int times) {
    if (times < 1) {
      throw new NodeException("--rounds: " + times + " is not above 0, such as 3");
    }
    return new EnginesScale(name, fittingRows, beyondRows, warmUp, duration, times, clients);
  }

  int rows(MemoryKind memory) {
    return memory == MemoryKind.FITS ? fittingRows : beyondRows;
  }

  /** What the page cache may hold where data are beyond memory, in bytes. */
  long pageCacheBytes() {
    return (long) (CACHE_SHARE * beyondRows * ROW_BYTES);
  }

  /** 4 % of the data, so that memtables are flushed several times while a workload is measured. */
  int memtableMib(MemoryKind memory) {
    return Math.max(MIN_MEMTABLE_MIB, (int) ((rows(memory) * (long) ROW_BYTES / 25) >> 20));
  }
}
