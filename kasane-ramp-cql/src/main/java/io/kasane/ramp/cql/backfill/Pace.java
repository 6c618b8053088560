/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import java.util.concurrent.TimeUnit;

/** Holds a thread to so many rows a second. What was not used is lost after a second. */
final class Pace {
  private final long nanosPerRow;
  private long dueNanos = System.nanoTime();

  Pace(int rowsPerSecond) {
    this.nanosPerRow = TimeUnit.SECONDS.toNanos(1) / rowsPerSecond;
  }

  /** Waits until so many rows more may go. */
  void take(int rows) throws InterruptedException {
    long now = System.nanoTime();
    dueNanos = Math.max(dueNanos, now - TimeUnit.SECONDS.toNanos(1));
    TimeUnit.NANOSECONDS.sleep(dueNanos - now);
    dueNanos += rows * nanosPerRow;
  }
}
