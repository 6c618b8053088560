/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws low numbers more often, by Zipf's law with the exponent 0.99. Immutable. */
final class ZipfPairs {
  private static final double EXPONENT = 0.99;

  private final double[] sums;

  ZipfPairs(int numbers) {
    sums = new double[numbers];
    double sum = 0;
    for (int i = 0; i < numbers; i++) {
      sum += 1 / Math.pow(i + 1.0, EXPONENT);
      sums[i] = sum;
    }
  }

  int draw(SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
  }

  /** Which share of the draws is among so many of the lowest numbers. */
  double shareOfFirst(int numbers) {
    return sums[numbers - 1] / sums[sums.length - 1];
  }
}
