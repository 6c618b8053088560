/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.room;

/**
 * How much room on the fast disk a table's flushes need, going by the last ones. Updates of the
 * hottest rows that find none go to slow, and then all reads of these rows do; but what waits for
 * them holds neither rows nor what merges could free at once. Thread-safe.
 */
public final class FlushNeed {
  /** As much is kept at first and after a flush that was refused, and ever less from then on. */
  public static final double MOST_SHARE = 0.07;

  private static final double LEAST_SHARE = 0.02;
  private static final double SAFETY = 1.5;

  /** What a large flush still counts a flush later: half of it after fourteen. */
  private static final double KEPT_PER_FLUSH = 0.95;

  private long peakBytes = -1;

  /** A flush asked for {@code bytes} on fast and got them. */
  public synchronized void flushed(long bytes, long quotaBytes) {
    if (bytes == 0) {
      return; // it had no hot rows, which tells nothing of one that has
    }
    if (peakBytes < 0) {
      refused(quotaBytes);
    }
    peakBytes = Math.max(bytes, (long) (KEPT_PER_FLUSH * peakBytes));
  }

  /** A flush asked for more than there was. */
  public synchronized void refused(long quotaBytes) {
    peakBytes = (long) (mostBytes(quotaBytes) / SAFETY);
  }

  /**
   * What to leave for flushes.
   *
   * @param quotaBytes of the table
   */
  public synchronized long roomBytes(long quotaBytes) {
    long mostBytes = mostBytes(quotaBytes);
    long wanted = (long) Math.max(LEAST_SHARE * quotaBytes, SAFETY * peakBytes);
    return peakBytes < 0 ? mostBytes : Math.min(mostBytes, wanted);
  }

  public static long mostBytes(long quotaBytes) {
    return (long) (MOST_SHARE * quotaBytes);
  }
}
