/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.compact;

import io.kasane.bench.lab.Heap;
import io.kasane.bench.lab.Machine;
import io.kasane.bench.load.Table;
import io.kasane.node.NodeException;
import java.time.Duration;
import java.util.List;

/**
 * How large the experiment is. All scales keep the paper's proportions, with memory for files of 45
 * % of the data, but for memtables: 1.4 instead of 0.3 %. To write an SSTable costs some ten seeks
 * however small it is, so that it weighs more on small data.
 *
 * @param rows of 1 KB, on each of three nodes
 * @param warmUp of each trial: reads only, on disks that take no time: fills memory and compiles
 *     the nodes' code
 * @param duration of each trial
 * @param faster time-lapse of the modelled disks
 * @param skews exponents of the keys' law
 * @param cacheShares memory for files, as shares of the data; the first for all exponents, the
 *     others for one
 */
record CompactScale(
    String name,
    int rows,
    Duration warmUp,
    Duration duration,
    double faster,
    List<Double> skews,
    List<Double> cacheShares) {
  static final int NODES = 3;

  /** 16 GB of memory less 4 GB of heap and the system's own, for 22 GB of data. */
  private static final double PAPER_CACHE_SHARE = 0.45;

  private static final List<Double> SKEWS = List.of(0.99, 0.90, 0.75);

  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private static final double MEMTABLE_SHARE = 0.014;

  private static final int CLIENT_THREADS = 16;
  private static final int CONCURRENT_READS = 32;
  private static final int LAW_BYTES_PER_ROW = 12;

  /** Below it, SSTables share a bucket whatever their sizes: 50 MB, for 22 GB of data. */
  private static final double SMALL_SHARE = 50.0 / 22_000;

  static CompactScale named(String name) {
    return switch (name) {
      case "smoke" ->
          new CompactScale(
              name,
              100_000,
              WARM_UP,
              Duration.ofSeconds(110),
              0.25,
              SKEWS,
              List.of(PAPER_CACHE_SHARE));
      case "small" ->
          new CompactScale(
              name,
              100_000,
              WARM_UP,
              Duration.ofSeconds(200),
              0.25,
              SKEWS,
              List.of(PAPER_CACHE_SHARE, 0.02, 0.15, 0.90));
      case "paper" ->
          new CompactScale(
              name,
              20_000_000,
              WARM_UP,
              Duration.ofHours(10),
              1,
              SKEWS,
              List.of(PAPER_CACHE_SHARE, 0.02, 0.15, 0.90));
      default -> throw new NodeException("--scale: '" + name + "' is none of smoke, small, paper");
    };
  }

  CompactScale lasting(Duration other) {
    return new CompactScale(name, rows, warmUp, other, faster, skews, cacheShares);
  }

  CompactScale withSkews(List<Double> others) {
    for (double skew : others) {
      if (!(skew > 0 && skew < 2)) {
        throw new NodeException("--skews: " + skew + " is not between 0 and 2, such as 0.99");
      }
    }
    return new CompactScale(name, rows, warmUp, duration, faster, List.copyOf(others), cacheShares);
  }

  CompactScale withCacheShares(List<Double> others) {
    for (double share : others) {
      if (!(share > 0 && share <= 2)) {
        throw new NodeException(
            "--memory: " + share + " is no share of the data above 0 and up to 2, such as 0.45");
      }
    }
    return new CompactScale(name, rows, warmUp, duration, faster, skews, List.copyOf(others));
  }

  CompactScale withFaster(double other) {
    if (!(other > 0 && other <= 100)) {
      throw new NodeException("--faster: " + other + " is not above 0 and up to 100, such as 1");
    }
    return new CompactScale(name, rows, warmUp, duration, other, skews, cacheShares);
  }

  /** Refuses what this process cannot hold: two versions of each cell, and the laws. */
  void requireMemory() {
    long perRow = Table.FIELDS * 2 * Integer.BYTES + (long) skews.size() * LAW_BYTES_PER_ROW;
    Heap.require("compact", name, "checking " + rows + " rows", rows * perRow);
  }

  private int dataMib() {
    return Math.max(1, rows / 1000 * 11 / 10);
  }

  /** Returns the size below which SSTables count as alike, in bytes. */
  long smallBytes() {
    return (long) (SMALL_SHARE * dataMib() * (1 << 20));
  }

  /**
   * Returns the machine.
   *
   * @param cacheShare memory for files, as a share of the data
   */
  Machine machine(double cacheShare) {
    int cacheMib = (int) Math.max(1, Math.round(cacheShare * dataMib()));
    int memtableKib = Math.max(256, (int) (MEMTABLE_SHARE * dataMib() * 1024));
    return new Machine(cacheMib, memtableKib, CONCURRENT_READS, CLIENT_THREADS, 0, 1L << 40);
  }
}
