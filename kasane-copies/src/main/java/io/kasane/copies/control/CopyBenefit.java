/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

/**
 * Whether copying a row because it was just read is worth its I/O. Where access is skewed, what is
 * on fast is read many times as often as rows in the mean, and even a row that was read once is
 * likely to be read again. Where it is uniform, fast serves no more than its share of the rows, and
 * each copy costs more than it saves for a long time: then only rows that are clearly hotter than
 * others are copied.
 *
 * <p>Observed by one thread, asked by all.
 */
public final class CopyBenefit {
  /** Rows on fast must be read this many times as often as rows in the mean. */
  private static final double MIN_LIFT = 2;

  /** Few reads say nothing; where so many are expected, chance makes it twice as many 1 in 30. */
  private static final double MIN_EXPECTED_READS = 5;

  /** A fast disk that may hold a larger share of the table is to be filled whatever is read. */
  private static final double MAX_QUOTA_SHARE = 0.5;

  /** What is left of a sum a second later: half of it after 35 seconds. */
  private static final double KEPT_PER_OBSERVATION = 0.98;

  /** Else chance would switch copies on again, a second and hundreds of rows at a time. */
  private static final double DEVIATIONS_TO_BEGIN_AGAIN = 2;

  private final DecayingSum fastReads = new DecayingSum(KEPT_PER_OBSERVATION);
  private final DecayingSum expectedFastReads = new DecayingSum(KEPT_PER_OBSERVATION);
  private long lastSlowReads;
  private volatile boolean pays = true;

  /**
   * Takes note of what was read; to be called about once a second.
   *
   * @param totalFastReads reads so far that fast served
   * @param totalSlowReads reads so far that needed slow
   * @param fastBytes what of the table lies on fast
   * @param slowBytes what of the table lies on slow
   * @param quotaBytes what of the table may lie on fast
   */
  public void observe(
      long totalFastReads, long totalSlowReads, long fastBytes, long slowBytes, long quotaBytes) {
    long all = fastReads.growth(totalFastReads) + totalSlowReads - lastSlowReads;
    lastSlowReads = totalSlowReads;
    double bytes = Math.max(1, fastBytes + slowBytes);
    fastReads.addGrowth(totalFastReads);
    expectedFastReads.add(all * (fastBytes / bytes));
    double liftedReads = MIN_LIFT * expectedFastReads.value();
    double leastFastReads =
        pays ? liftedReads : CopyAdmission.above(liftedReads, DEVIATIONS_TO_BEGIN_AGAIN);
    pays =
        quotaBytes > MAX_QUOTA_SHARE * bytes
            || expectedFastReads.value() < MIN_EXPECTED_READS
            || fastReads.value() >= leastFastReads;
  }

  /** Whether any row is worth copying that belongs on fast or finds room there. */
  public boolean pays() {
    return pays;
  }
}
