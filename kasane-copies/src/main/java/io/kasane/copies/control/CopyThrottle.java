/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

/**
 * Which part of the time copying may use, so that it takes no CPU time that requests need. A copy
 * spares reads a look-up on slow. Of a table that lies in memory hardly any of these waits for the
 * disk: there a copy is of no use before memory has other things to hold, and where the processors
 * are busy it takes from requests.
 *
 * <p>Observed by one thread, asked by all.
 */
public final class CopyThrottle {
  /** Of the look-ups on slow: on busy processors some are kept waiting for these, not the disk. */
  private static final double FEW_WAITS = 0.05;

  /** Beyond this requests queue for processors: at a load of 0.9 they wait nine times as long. */
  private static final double BUSY = 0.9;

  /** What is left of a sum a second later: half of it after 7 seconds. */
  private static final double KEPT_PER_OBSERVATION = 0.9;

  /** Not 0: what is read most still comes to fast, a few rows at a time. */
  private static final double SHARE_WHILE_BUSY = 0.01;

  private final DecayingSum lookUps = new DecayingSum(KEPT_PER_OBSERVATION);
  private final DecayingSum waits = new DecayingSum(KEPT_PER_OBSERVATION);
  private volatile boolean hurries = true;

  /**
   * Takes note of what was read; to be called about once a second.
   *
   * @param totalLookUps look-ups on slow so far
   * @param totalWaits those that waited for the disk
   * @param processorLoad how much of the processors is in use, 0 to 1; negative if unknown
   */
  public void observe(long totalLookUps, long totalWaits, double processorLoad) {
    lookUps.addGrowth(totalLookUps);
    waits.addGrowth(totalWaits);
    hurries = processorLoad < BUSY || waits.value() >= FEW_WAITS * lookUps.value();
  }

  /** How much of its time the thread that reads rows to be copied may give a table, 0 to 1. */
  public double timeShare() {
    return hurries ? 1 : SHARE_WHILE_BUSY;
  }
}
