/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.demo;

import io.kasane.node.ByteSize;
import io.kasane.node.NodeException;

/**
 * How large a demonstration is.
 *
 * @param rows how many rows the table gets
 * @param seconds how long the load runs
 * @param skew the exponent of the Zipf law
 * @param updatePercent how many of 100 operations are updates
 * @param operationsPerSecond the most that is sent; a disk-bound node answers no more, and the
 *     client must leave the node time to move rows
 * @param inFlight how many operations wait for an answer at a time
 * @param seed decides which keys are hot and what is drawn
 */
public record DemoSettings(
    int rows,
    int seconds,
    double skew,
    int updatePercent,
    int operationsPerSecond,
    int inFlight,
    long seed) {
  /** One row in so many may lie on fast. */
  public static final int FAST_FRACTION = 10;

  /** What a row takes on disk beside its payload: key, version, timestamps, lengths. */
  private static final int ROW_OVERHEAD = 40;

  /** Checks the numbers. */
  public DemoSettings {
    require("--rows", rows, 1_000, 50_000_000);
    require("--seconds", seconds, 1, 86_400);
    require("--updates", updatePercent, 0, 100);
    require("--rate", operationsPerSecond, 1, 10_000_000);
    require("in flight", inFlight, 1, 4096);
    if (!(skew >= 0 && skew <= 5)) {
      throw new NodeException("--skew: " + skew + " is outside 0..5; 0.99 is YCSB's default");
    }
  }

  private static void require(String name, int value, int lowest, int highest) {
    if (value < lowest || value > highest) {
      throw new NodeException(name + ": " + value + " is outside " + lowest + ".." + highest);
    }
  }

  /** Returns the same without updates. */
  DemoSettings readsOnly(int readSeconds) {
    return new DemoSettings(rows, readSeconds, skew, 0, operationsPerSecond, inFlight, seed);
  }

  /** Returns the bytes of fast disk the demonstration allows: a tenth of the data. */
  public ByteSize fastQuota() {
    long data = RowContent.totalBytes(rows) + (long) rows * ROW_OVERHEAD;
    return new ByteSize(data / FAST_FRACTION);
  }
}
