/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.tier;

import io.kasane.bench.lab.Heap;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.load.Table;
import io.kasane.node.NodeException;
import java.time.Duration;

/**
 * How large the experiment is. All scales keep the paper's proportions: memory for files is about 2
 * % of the data, the fast disk 10 %, and a run has about as many operations as there are rows.
 *
 * @param rows of 1 KB
 * @param duration of each trial
 * @param rate operations a second; 0: as fast as they are answered
 * @param faster time-lapse of the modelled disks
 * @param whole whether every figure is drawn, or the main one only
 */
record TierScale(
    String name, int rows, Duration duration, double rate, double faster, boolean whole) {
  /** 16 clients: enough to keep a disk's queue full, few enough for one core. */
  private static final int CLIENT_THREADS = 16;

  private static final int CONCURRENT_READS = 32;
  private static final int MIN_ROWS = 100_000;
  private static final int LAWS = 2;
  private static final int ROW_BYTES = 1_100;
  private static final int LAW_BYTES_PER_ROW = 12;

  static TierScale named(String name) {
    return switch (name) {
      case "smoke" -> new TierScale(name, 100_000, Duration.ofSeconds(55), 0, 8, false);
      case "small" -> new TierScale(name, 100_000, Duration.ofSeconds(110), 0, 8, true);
      case "paper" -> new TierScale(name, 25_000_000, Duration.ofSeconds(10_000), 0, 1, true);
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small, paper");
    };
  }

  TierScale lasting(Duration other) {
    return new TierScale(name, rows, other, rate, faster, whole);
  }

  /** The same proportions on another number of rows; how long a trial lasts stays. */
  TierScale of(int otherRows) {
    if (otherRows < MIN_ROWS) {
      throw new NodeException(
          "--rows: "
              + otherRows
              + " are too few for memtables and memory that are 2 % of the data; use at least "
              + MIN_ROWS);
    }
    return new TierScale(name, otherRows, duration, rate, faster, whole);
  }

  TierScale atRate(double other) {
    if (!(other > 0)) {
      throw new NodeException(
          "--rate: "
              + other
              + " is not above 0, such as 800; leave it out for as many as possible");
    }
    return new TierScale(name, rows, duration, other, faster, whole);
  }

  /**
   * Refuses what this process cannot hold: two versions of each cell and the laws of both skews.
   */
  void requireMemory() {
    long bytes = rows * (long) (Table.FIELDS * 2 * Integer.BYTES + LAWS * LAW_BYTES_PER_ROW);
    Heap.require("tier", name, "checking " + rows + " rows", bytes);
  }

  /** Returns about what the rows take on disk, in bytes. */
  long dataBytes() {
    return rows * (long) ROW_BYTES;
  }

  /** Below it, SSTables share a bucket whatever their sizes: 50 MB, for 25 GB of data. */
  long smallBytes() {
    return dataBytes() / 500;
  }

  Machine machine() {
    int dataMib = Math.max(1, rows / 1000 * 11 / 10);
    int cacheMib = Math.max(1, dataMib / 50);
    int memtableKib = Math.max(4, dataMib / 25) << 9; // 2 % of the data
    return new Machine(cacheMib, memtableKib, CONCURRENT_READS, CLIENT_THREADS, rate, 1L << 40);
  }
}
