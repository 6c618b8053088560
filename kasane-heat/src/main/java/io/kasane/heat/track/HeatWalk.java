/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import io.kasane.heat.key.HeatKey;

/**
 * How far a walk over all keys has come, in the order of keys, and what share of all heat it found.
 * Used by one thread at a time, but for {@link #trackedShare}.
 */
final class HeatWalk {
  private long next;
  private double share;
  private boolean hasEnded;
  private volatile double trackedShare = 1;

  /** The key that it goes on with. */
  long next() {
    return next;
  }

  /** Of all heat, that of keys that are tracked: by the last walk, or as much of the first. */
  double trackedShare() {
    return trackedShare;
  }

  /**
   * It has come further.
   *
   * @param to the first key that it has not looked at
   * @param more share of all heat that it found on the way
   */
  void walked(long to, double more) {
    share += more;
    next = to;
    if (to == HeatKey.END || !hasEnded) {
      trackedShare = share * HeatKey.END / to;
    }
    if (to == HeatKey.END) {
      hasEnded = true;
      share = 0;
      next = 0;
    }
  }

  /** Other keys are tracked now: it begins again, and what it found tells nothing. */
  void beginAgain() {
    next = 0;
    share = 0;
    hasEnded = false;
    trackedShare = 1;
  }
}
