/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.disk;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a point in time, to within some microseconds.
 *
 * <p>A parked thread wakes late by what the kernel's timers allow themselves (about 50 µs on
 * Linux). So it is parked for a shorter time, by the usual delay, and spins for the rest.
 */
final class PreciseWait {
  private static final int CALIBRATION_ROUNDS = 41;
  private static final long CALIBRATION_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long MAX_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final long usualDelayNanos;

  private PreciseWait(long usualDelayNanos) {
    this.usualDelayNanos = usualDelayNanos;
  }

  /** Measures how late a parked thread wakes on this machine; takes about 10 ms. */
  static PreciseWait calibrated() {
    long[] delays = new long[CALIBRATION_ROUNDS];
    for (int i = 0; i < delays.length; i++) {
      long begin = System.nanoTime();
      LockSupport.parkNanos(CALIBRATION_NANOS);
      delays[i] = System.nanoTime() - begin - CALIBRATION_NANOS;
    }
    Arrays.sort(delays);
    long median = delays[delays.length / 2];
    return new PreciseWait(Math.max(0, Math.min(median, MAX_SPIN_NANOS)));
  }

  /**
   * Returns at the given value of {@link System#nanoTime}, or early if the thread is interrupted.
   */
  void until(long deadlineNanos) {
    while (true) {
      long left = deadlineNanos - System.nanoTime();
      if (left <= 0 || Thread.currentThread().isInterrupted()) {
        return;
      }
      if (left > usualDelayNanos) {
        LockSupport.parkNanos(this, left - usualDelayNanos);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
