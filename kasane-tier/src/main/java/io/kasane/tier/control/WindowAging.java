/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.concurrent.TimeUnit;

/**
 * When the heat of a table with windows of time is halved besides what accesses do to it: rows are
 * read while they are new, and those of the last window would else stay hot for as many accesses as
 * made them so. Four times a window, so that what was read in one counts a sixteenth a window
 * later. Not while little is read: a quiet night cools nothing. Used by one thread.
 */
public final class WindowAging {
  private static final int HALVINGS_PER_WINDOW = 4;

  /** Cassandra cuts none that are shorter; a schema that cannot be read has. */
  private static final long LEAST_WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private long halvedAtMillis = Long.MIN_VALUE;
  private long accessesThen;

  /**
   * Whether to halve now; if so, it is taken for done.
   *
   * @param windowMillis how long a window is
   * @param accesses of the table so far
   * @param hotKeys as many accesses are enough to tell again which these are
   */
  public boolean isDue(long nowMillis, long windowMillis, long accesses, long hotKeys) {
    if (halvedAtMillis == Long.MIN_VALUE) {
      isHalved(nowMillis, accesses);
      return false;
    }
    long restMillis = Math.max(LEAST_WINDOW_MILLIS, windowMillis) / HALVINGS_PER_WINDOW;
    boolean isTime = nowMillis - halvedAtMillis >= restMillis;
    if (!isTime || accesses - accessesThen < Math.max(1, hotKeys)) {
      return false;
    }
    isHalved(nowMillis, accesses);
    return true;
  }

  private void isHalved(long nowMillis, long accesses) {
    halvedAtMillis = nowMillis;
    accessesThen = accesses;
  }
}
