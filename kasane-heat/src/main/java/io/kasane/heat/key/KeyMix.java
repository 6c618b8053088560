/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.key;

/**
 * Spreads key ids over 64 bits. Ids may be badly mixed (row numbers) or well mixed (Murmur3
 * tokens); after this they are alike. The finaliser is that of SplitMix64 (Steele, Lea, Flood:
 * "Fast splittable pseudorandom number generators", OOPSLA 2014); it is a bijection, so two ids
 * never become one.
 */
public final class KeyMix {
  private KeyMix() {}

  /** Mixes an id; the same id gives the same value in every process. */
  public static long mix(long id) {
    long z = id + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Maps the upper half of a mixed id to 0 (inclusive) .. n (exclusive) without a division. */
  static int upperIndex(long mixed, int n) {
    return (int) (((mixed >>> 32) * n) >>> 32);
  }

  /** Maps the lower half of a mixed id to 0 (inclusive) .. n (exclusive) without a division. */
  static int lowerIndex(long mixed, int n) {
    return (int) (((mixed & 0xFFFFFFFFL) * n) >>> 32);
  }
}
