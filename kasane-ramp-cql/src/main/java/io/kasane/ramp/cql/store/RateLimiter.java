/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import java.util.concurrent.TimeUnit;

/**
 * Holds whoever goes through a table to so many rows a second. What was not used is lost after a
 * second. For one thread.
 */
public final class RateLimiter {
  private final long nanosPerRow;
  private long dueNanos = System.nanoTime();

  /** So many rows a second, 1 at least. */
  public RateLimiter(long rowsPerSecond) {
    this.nanosPerRow = TimeUnit.SECONDS.toNanos(1) / rowsPerSecond;
  }

  /** Waits until so many rows more may go. */
  public void take(int rows) throws InterruptedException {
    long now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - TimeUnit.SECONDS.toNanos(1));
    TimeUnit.NANOSECONDS.sleep(dueNanos - now);
    dueNanos += rows * nanosPerRow;
  }
}
