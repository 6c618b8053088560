/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Every key alike: nothing is hot. */
public final class UniformKeys implements KeyLaw {
  private final int rows;
  private final ThreadLocal<SplittableRandom> randoms;

  /** Prepares to draw. */
  public UniformKeys(int rows, long seed) {
    this.rows = rows;
    this.randoms = PerThread.randoms(seed);
  }

  @Override
  public int next(double progress) {
    return randoms.get().nextInt(rows);
  }

  @Override
  public int[] hottest(int count, double progress) {
    return IntStream.range(0, Math.min(count, rows)).toArray();
  }

  @Override
  public String describe() {
    return "uniform";
  }
}
