/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

/**
 * Watches the share of reads that need no slow disk. It has settled once it stayed within {@value
 * #SAME_SHARE} for {@value #LONG_ENOUGH} observations of {@value #MIN_READS} reads or more, so that
 * chance does not move it. When other rows are read than before it falls, and while these come to
 * fast it rises.
 *
 * <p>Observed by one thread, asked by all.
 */
public final class HitRatioMonitor {
  /** Of fewer, chance moves the share too far. */
  private static final int MIN_READS = 250;

  /** More than chance moves the share of some MIN_READS: one standard deviation is 0.03. */
  private static final double SAME_SHARE = 0.05;

  /** More than a merge or a flush moves it, and far less than other rows do. */
  private static final double FALL = 0.10;

  /** Longer than rows take to come to fast after a shift. */
  private static final int LONG_ENOUGH = 20;

  /** What is left of a sum an observation later: half of it after three. */
  private static final double KEPT_PER_OBSERVATION = 0.8;

  private final DecayingSum reads = new DecayingSum(KEPT_PER_OBSERVATION);
  private final DecayingSum slowReads = new DecayingSum(KEPT_PER_OBSERVATION);
  private double reference;
  private int sinceItMoved;
  private boolean hasFallen = true;
  private volatile double share;
  private volatile double settledShare;
  private volatile boolean settled;

  /**
   * Takes note of what was read; to be called about once a second.
   *
   * @param totalReads reads so far, those that memory answers included
   * @param totalSlowReads reads so far that needed slow
   * @return whether the share is clearly lower now than when it settled last; once until it settles
   *     again
   */
  public boolean observe(long totalReads, long totalSlowReads) {
    if (reads.growth(totalReads) < MIN_READS) {
      return false;
    }
    reads.addGrowth(totalReads);
    slowReads.addGrowth(totalSlowReads);
    double now = 1 - slowReads.value() / reads.value();
    if (Math.abs(now - reference) > SAME_SHARE) {
      reference = now;
      sinceItMoved = 0;
    } else {
      sinceItMoved++;
    }
    share = now;
    settled = sinceItMoved >= LONG_ENOUGH;
    if (settled) {
      settledShare = reference;
      hasFallen = false;
    }
    boolean falls = !hasFallen && now < settledShare - FALL;
    hasFallen |= falls;
    return falls;
  }

  /** Whether the share has stayed the same for long enough to say that it rests. */
  public boolean hasSettled() {
    return settled;
  }

  /** The share of the last few thousand reads, 0 to 1. */
  public double share() {
    return share;
  }

  /** The share when it settled last, 0 to 1. */
  public double settledShare() {
    return settledShare;
  }
}
