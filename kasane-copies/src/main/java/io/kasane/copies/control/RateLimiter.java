/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import java.util.function.LongSupplier;

/**
 * A limit on units a second that lets {@value #BURST_MILLIS} ms of them pass at once. What goes
 * beyond is paid back before anything else passes. Used by one thread.
 */
public final class RateLimiter {
  /** As long as a table may wait for its turn: what it could not use then is not lost. */
  private static final long BURST_MILLIS = 1_000;

  private final LongSupplier nanoTime;
  private double left;
  private long lastNanos;

  public RateLimiter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastNanos = nanoTime.getAsLong();
  }

  /**
   * How many units may pass now, at least 0.
   *
   * @param perSecond the limit; it may change from call to call
   */
  public long allowed(long perSecond) {
    long now = nanoTime.getAsLong();
    double burst = perSecond * (BURST_MILLIS / 1e3);
    left = Math.min(burst, left + perSecond * ((now - lastNanos) / 1e9));
    lastNanos = now;
    return (long) Math.max(0, left);
  }

  /** Units have passed. */
  public void passed(long units) {
    left -= units;
  }
}
