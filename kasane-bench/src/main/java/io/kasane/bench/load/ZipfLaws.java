/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.HashMap;
import java.util.Map;

/**
 * Exact Zipf laws over the same rows: one table an exponent, since it has a number for each row.
 */
public final class ZipfLaws {
  private final int rows;
  private final long seed;
  private final Map<Double, ExactZipf> bySkew = new HashMap<>();

  /** Laws over rows; the seed decides which are hot. */
  public ZipfLaws(int rows, long seed) {
    this.rows = rows;
    this.seed = seed;
  }

  /** Returns the law of an exponent, which draws from the beginning. */
  public ExactZipf of(double skew) {
    return bySkew.computeIfAbsent(skew, s -> new ExactZipf(rows, s, seed)).restarted();
  }
}
