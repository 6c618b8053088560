/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import io.kasane.heat.track.HeatTracker;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When the hot set of a table is computed again. Thread-safe: of two draws at a time one is
 * remembered.
 */
public final class HotSetRefreshPace {
  /** What few accesses change may be known so much later. */
  private static final long FEW_ACCESSES_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** So flushes and compactions that follow each other ask a tenth of the time at most. */
  private static final int YOUNG = 10;

  /** With so many keys for each access since, or more, the hot set is nearly as it was. */
  private static final int KEYS_PER_ACCESS = 256;

  private final LongSupplier nanoClock;
  private volatile Draw last;

  /**
   * A draw that has ended.
   *
   * @param accesses of the tracker until then
   */
  private record Draw(HeatTracker tracker, long accesses, long endNanos, long tookNanos) {}

  /** Nothing is drawn yet. */
  public HotSetRefreshPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** A hot set was drawn from what a tracker knew. */
  public void drawn(HeatTracker tracker, long accesses, long beganNanos) {
    long now = nanoClock.getAsLong();
    last = new Draw(tracker, accesses, now, now - beganNanos);
  }

  /**
   * Whether a second is over, or fifty times as long as the last draw took; where there are many
   * keys, and there were few accesses, ten seconds more.
   *
   * @param isKnown whether the last draw told anything
   */
  public boolean isDue(HeatTracker tracker, boolean isKnown) {
    Draw before = last;
    if (before == null) {
      return true;
    }
    long restNanos = TimeBudget.DRAWS.restNanos(before.tookNanos);
    long lateNanos = nanoClock.getAsLong() - before.endNanos - restNanos;
    return lateNanos >= FEW_ACCESSES_NANOS
        || (lateNanos >= 0 && (!isKnown || hasChanged(before, tracker)));
  }

  private static boolean hasChanged(Draw before, HeatTracker tracker) {
    long keys = tracker.trackedKeys();
    return before.tracker != tracker
        || keys <= HeatTracker.SAMPLED_KEYS
        || Math.abs(tracker.totalAccesses() - before.accesses) >= keys / KEYS_PER_ACCESS;
  }

  /** Whether the last draw is less old than ten times as long as it took. */
  public boolean isYoung() {
    Draw before = last;
    return before != null && nanoClock.getAsLong() - before.endNanos < YOUNG * before.tookNanos;
  }
}
