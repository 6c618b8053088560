/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Draws keys by an exact Zipf law: the key of rank i (from 1) with probability proportional to
 * 1/i^skew.
 *
 * <p>Exact means that the inverse of the cumulative distribution is looked up, one double a key,
 * rather than approximated; a shuffle scatters the ranks over the keys, so that hot keys are
 * neighbours neither in number nor on disk.
 */
public final class ZipfKeys {
  private final double[] cumulative;
  private final int[] keyOfRank;

  /** Prepares to draw from the keys 0 to {@code keys - 1}; the seed decides which are hot. */
  public ZipfKeys(int keys, double skew, long seed) {
    if (keys < 1) {
      throw new IllegalArgumentException("keys: " + keys + " is not at least 1");
    }
    if (!(skew >= 0 && skew <= 10)) {
      throw new IllegalArgumentException("skew: " + skew + " is outside 0..10");
    }
    cumulative = cumulativeShares(keys, skew);
    keyOfRank = shuffled(keys, seed);
  }

  private static double[] cumulativeShares(int keys, double skew) {
    double[] sums = new double[keys];
    double sum = 0;
    for (int rank = 1; rank <= keys; rank++) {
      sum += Math.pow(rank, -skew);
      sums[rank - 1] = sum;
    }
    for (int i = 0; i < keys; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  private static int[] shuffled(int keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] all = new int[keys];
    for (int i = 0; i < keys; i++) {
      int other = random.nextInt(i + 1);
      all[i] = all[other];
      all[other] = i;
    }
    return all;
  }

  /** Draws a key. */
  public int next(SplittableRandom random) {
    return keyOfRank[rankAt(random.nextDouble()) - 1];
  }

  /** Returns the rank (from 1) on which a number from 0 (inclusive) to 1 (exclusive) falls. */
  int rankAt(double point) {
    int found = Arrays.binarySearch(cumulative, point);
    // On a boundary the interval to the right begins; between two, the insertion point is it.
    int index = found >= 0 ? found + 1 : -found - 1;
    return Math.min(index, cumulative.length - 1) + 1;
  }

  /** Returns the key of a rank; 1 is the hottest. */
  public int keyOfRank(int rank) {
    return keyOfRank[rank - 1];
  }

  /** Returns the share of all draws that the hottest keys get: what a perfect placement serves. */
  public double shareOfHottest(int keys) {
    if (keys <= 0) {
      return 0;
    }
    return cumulative[Math.min(keys, cumulative.length) - 1];
  }
}
