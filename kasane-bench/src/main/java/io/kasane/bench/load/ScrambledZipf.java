/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import site.ycsb.Utils;

/**
 * YCSB's scrambled Zipfian: draws from 10^10 items, whatever the number of rows, and hashes each to
 * a row. Much flatter than Zipf's law over the rows: of 1,000,000 keys the hottest tenth gets about
 * 53 % of the draws at s = 0.99.
 *
 * <p>YCSB itself adds up the 10^10 terms of any s but 0.99; here the sum is approximated by
 * Euler-Maclaurin, which agrees with YCSB's constant for 0.99 in all its digits that matter.
 */
public final class ScrambledZipf implements KeyLaw {
  private static final long ITEMS = 10_000_000_000L;
  private static final int SUMMED = 100_000;
  private static final int SAMPLES = 10_000_000;

  private final int rows;
  private final double skew;
  private final double zetaN;
  private final double eta;
  private final double secondBelow;
  private final ThreadLocal<SplittableRandom> randoms;
  private int[] ranking;

  /** Prepares to draw. */
  public ScrambledZipf(int rows, double skew, long seed) {
    this.rows = rows;
    this.skew = skew;
    this.zetaN = zeta(ITEMS, skew);
    double zeta2 = 1 + Math.pow(0.5, skew);
    this.secondBelow = zeta2;
    this.eta = (1 - Math.pow(2.0 / ITEMS, 1 - skew)) / (1 - zeta2 / zetaN);
    this.randoms = PerThread.randoms(seed);
  }

  /** The sum of i^-s for i from 1 to n. */
  static double zeta(long n, double s) {
    double sum = 0;
    for (int i = 1; i <= SUMMED; i++) {
      sum += Math.pow(i, -s);
    }
    double integral = (Math.pow((double) n, 1 - s) - Math.pow(SUMMED, 1 - s)) / (1 - s);
    double ends = (Math.pow((double) n, -s) - Math.pow(SUMMED, -s)) / 2;
    return sum + integral + ends;
  }

  @Override
  public int next(double progress) {
    return draw(randoms.get());
  }

  /** As in YCSB's generator, after Gray et al., Quickly Generating Billion-Record Databases. */
  private int draw(SplittableRandom random) {
    double u = random.nextDouble();
    double uz = u * zetaN;
    long item;
    if (uz < 1) {
      item = 0;
    } else if (uz < secondBelow) {
      item = 1;
    } else {
      item = (long) (ITEMS * Math.pow(eta * u - eta + 1, 1 / (1 - skew)));
    }
    return (int) (Utils.fnvhash64(item) % rows);
  }

  @Override
  public synchronized int[] hottest(int count, double progress) {
    if (ranking == null) {
      ranking = rank();
    }
    return Arrays.copyOf(ranking, Math.min(count, rows));
  }

  private int[] rank() {
    int[] drawn = new int[rows];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < SAMPLES; i++) {
      drawn[draw(random)]++;
    }
    return IntStream.range(0, rows)
        .boxed()
        .sorted(Comparator.comparingInt(row -> -drawn[row]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public String describe() {
    return "YCSB scrambled zipfian s=" + skew;
  }
}
