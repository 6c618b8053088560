/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * When SSTables of a table may be rewritten only to sort their rows: not more than once a heat
 * period, and not more than a quarter of the time, whatever the reads say. Thread-safe.
 */
public final class RewritePace {
  private static final int PAUSE = 3;

  private final LongSupplier periodMillis;
  private volatile long nextNanos = System.nanoTime();
  private final AtomicInteger running = new AtomicInteger();

  public RewritePace(LongSupplier periodMillis) {
    this.periodMillis = periodMillis;
  }

  public boolean mayBegin() {
    return running.get() == 0 && System.nanoTime() - nextNanos >= 0;
  }

  public void begins() {
    running.incrementAndGet();
  }

  public void ended(long tookNanos) {
    long period = TimeUnit.MILLISECONDS.toNanos(periodMillis.getAsLong());
    nextNanos = System.nanoTime() + Math.max(period, PAUSE * tookNanos);
    running.decrementAndGet();
  }
}
