/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * When SSTables of a table may be rewritten only to sort their rows: not more than once a heat
 * period, and not more than a quarter of the time, whatever the reads say. Thread-safe.
 */
public final class RewritePace {
  private final LongSupplier periodMillis;
  private final LongSupplier nanoClock;
  private final AtomicInteger running = new AtomicInteger();
  private volatile long nextNanos;

  public RewritePace(LongSupplier periodMillis, LongSupplier nanoClock) {
    this.periodMillis = periodMillis;
    this.nanoClock = nanoClock;
    this.nextNanos = nanoClock.getAsLong();
  }

  public boolean mayBegin() {
    return running.get() == 0 && nanoClock.getAsLong() - nextNanos >= 0;
  }

  public void begins() {
    running.incrementAndGet();
  }

  public void ended(long tookNanos) {
    long period = TimeUnit.MILLISECONDS.toNanos(periodMillis.getAsLong());
    nextNanos = nanoClock.getAsLong() + TimeBudget.REWRITES.atLeast(period).restNanos(tookNanos);
    running.decrementAndGet();
  }
}
