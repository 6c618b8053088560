/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.collect;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Holds one thread to so many steps a second. For one thread. */
final class Pace {
  private static final long MOST_AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final double nanosEach;
  private long dueNanos = System.nanoTime();

  /** So many steps a second, 1 at least. */
  Pace(long perSecond) {
    this.nanosEach = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Waits until it is time for a step; a time without steps is not made up for. */
  void step() {
    long now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - MOST_AHEAD_NANOS) + (long) nanosEach;
    if (dueNanos - now > MOST_AHEAD_NANOS) {
      LockSupport.parkNanos(dueNanos - now);
    }
  }
}
