/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;

/**
 * Zipf's law over the rows that exist: of 1,000,000 keys the hottest tenth gets 83 % of the draws
 * at s = 0.99. Ranks are scattered over the keys.
 */
public final class ExactZipf implements KeyLaw {
  private final double skew;
  private final int rows;
  private final long seed;
  private final ZipfKeys keys;
  private final ThreadLocal<SplittableRandom> randoms;

  /** Prepares to draw; the seed decides which keys are hot. */
  public ExactZipf(int rows, double skew, long seed) {
    this(rows, skew, seed, new ZipfKeys(rows, skew, seed));
  }

  private ExactZipf(int rows, double skew, long seed, ZipfKeys keys) {
    this.skew = skew;
    this.rows = rows;
    this.seed = seed;
    this.keys = keys;
    this.randoms = PerThread.randoms(seed);
  }

  /** Returns the same law that draws from the beginning again, for the next contestant. */
  public ExactZipf restarted() {
    return new ExactZipf(rows, skew, seed, keys);
  }

  @Override
  public int next(double progress) {
    return keys.next(randoms.get());
  }

  @Override
  public int[] hottest(int count, double progress) {
    int[] hottest = new int[Math.min(count, rows)];
    for (int rank = 1; rank <= hottest.length; rank++) {
      hottest[rank - 1] = keys.keyOfRank(rank);
    }
    return hottest;
  }

  /** Returns the share of the draws that the hottest keys get. */
  public double shareOfHottest(int count) {
    return keys.shareOfHottest(count);
  }

  @Override
  public String describe() {
    return "exact zipf s=" + skew;
  }
}
