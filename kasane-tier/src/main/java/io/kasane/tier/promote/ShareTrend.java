/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

/**
 * Whether the share of reads that fast serves has settled: it has stayed within {@value
 * #SAME_SHARE} for {@value #LONG_ENOUGH} observations. What is read changes rarely and then at
 * once, and the share falls; while the new rows come to fast it rises.
 *
 * <p>Observed by one thread, asked by all.
 */
final class ShareTrend {
  private static final double SAME_SHARE = 0.05;
  private static final int LONG_ENOUGH = 20;

  /** What is left of a sum an observation later: half of it after three. */
  private static final double KEPT_PER_OBSERVATION = 0.8;

  private double fastReads;
  private double allReads;
  private double reference;
  private int sinceItMoved;
  private volatile boolean settled;

  /** Takes note of the reads since the last observation; to be called about once a second. */
  void observe(long fast, long all) {
    if (all == 0) {
      return;
    }
    fastReads = KEPT_PER_OBSERVATION * fastReads + fast;
    allReads = KEPT_PER_OBSERVATION * allReads + all;
    double share = fastReads / allReads;
    if (Math.abs(share - reference) > SAME_SHARE) {
      reference = share;
      sinceItMoved = 0;
    } else {
      sinceItMoved++;
    }
    settled = sinceItMoved >= LONG_ENOUGH;
  }

  boolean hasSettled() {
    return settled;
  }
}
