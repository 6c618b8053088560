/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A few keys get most of the draws, all alike; the others share the rest, all alike. */
public final class Hotspot implements KeyLaw {
  private final int rows;
  private final int hotRows;
  private final double hotFraction;
  private final double hotShare;
  private final ThreadLocal<SplittableRandom> randoms;

  /**
   * Prepares to draw.
   *
   * @param hotFraction how many of the keys are hot, 0 to 1
   * @param hotShare how many of the draws they get, 0 to 1
   */
  public Hotspot(int rows, double hotFraction, double hotShare, long seed) {
    this.rows = rows;
    this.hotRows = Math.max(1, Math.min(rows - 1, (int) (rows * hotFraction)));
    this.hotFraction = hotFraction;
    this.hotShare = hotShare;
    this.randoms = PerThread.randoms(seed);
  }

  @Override
  public int next(double progress) {
    SplittableRandom random = randoms.get();
    return random.nextDouble() < hotShare
        ? random.nextInt(hotRows)
        : hotRows + random.nextInt(rows - hotRows);
  }

  @Override
  public int[] hottest(int count, double progress) {
    return IntStream.range(0, Math.min(count, rows)).toArray();
  }

  @Override
  public String describe() {
    return "hotspot, %.0f %% of the draws on %.0f %% of the keys"
        .formatted(hotShare * 100, hotFraction * 100);
  }
}
