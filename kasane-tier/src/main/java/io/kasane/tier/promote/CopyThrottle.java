/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

/**
 * Whether copying is worth processors that requests want. A copy spares reads a look-up on slow. Of
 * a table that lies in memory hardly any of these waits for the disk: there a copy is of no use
 * before memory has other things to hold, and where the processors are busy it takes from requests.
 *
 * <p>Observed by one thread, asked by all.
 */
final class CopyThrottle {
  /**
   * Of the look-ups on slow: on busy processors some are kept waiting for these, not for the disk.
   */
  private static final double FEW_WAITS = 0.05;

  private static final double BUSY = 0.9;

  /** What is left of a sum a second later: half of it after 7 seconds. */
  private static final double KEPT_PER_OBSERVATION = 0.9;

  private static final double SHARE_WITHOUT_HURRY = 0.01;

  private long lastLookUps;
  private long lastWaits;
  private double lookUps;
  private double waits;
  private volatile boolean hurries = true;

  /**
   * Takes note of what was read; to be called about once a second.
   *
   * @param totalLookUps look-ups on slow so far
   * @param totalWaits those that waited for the disk
   * @param processorLoad how much of the processors is in use, 0 to 1; negative if unknown
   */
  void observe(long totalLookUps, long totalWaits, double processorLoad) {
    lookUps = KEPT_PER_OBSERVATION * lookUps + (totalLookUps - lastLookUps);
    waits = KEPT_PER_OBSERVATION * waits + (totalWaits - lastWaits);
    lastLookUps = totalLookUps;
    lastWaits = totalWaits;
    hurries = processorLoad < BUSY || waits >= FEW_WAITS * lookUps;
  }

  /** How much of its time the thread that reads rows to be copied may give a table, 0 to 1. */
  double timeShare() {
    return hurries ? 1 : SHARE_WITHOUT_HURRY;
  }
}
