/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * What was updated last is read most: updates go to any key, reads to the one updated i updates ago
 * with a probability that falls with i by Zipf's law.
 */
public final class Latest implements KeyLaw {
  private final int rows;
  private final double skew;
  private final ZipfKeys ages;
  private final int[] rankOfDraw;
  private final AtomicIntegerArray updated;
  private final AtomicLong updates = new AtomicLong();
  private final ThreadLocal<SplittableRandom> randoms;

  /** Prepares to draw; before the first updates, rows count as updated in their order. */
  public Latest(int rows, double skew, long seed) {
    this.rows = rows;
    this.skew = skew;
    this.ages = new ZipfKeys(rows, skew, seed);
    this.rankOfDraw = new int[rows];
    for (int rank = 1; rank <= rows; rank++) {
      rankOfDraw[ages.keyOfRank(rank)] = rank - 1;
    }
    this.updated = new AtomicIntegerArray(IntStream.range(0, rows).toArray());
    this.randoms = PerThread.randoms(seed);
  }

  @Override
  public int next(double progress) {
    int age = rankOfDraw[ages.next(randoms.get())];
    return updated.get((int) Math.floorMod(updates.get() - 1 - age, (long) rows));
  }

  @Override
  public int nextUpdate(double progress) {
    int row = randoms.get().nextInt(rows);
    updated.set((int) (updates.getAndIncrement() % rows), row);
    return row;
  }

  @Override
  public int[] hottest(int count, double progress) {
    long last = updates.get() - 1;
    return IntStream.range(0, Math.min(count, rows))
        .map(age -> updated.get((int) Math.floorMod(last - age, (long) rows)))
        .distinct()
        .toArray();
  }

  @Override
  public String describe() {
    return "latest, zipf s=" + skew + " by age";
  }
}
