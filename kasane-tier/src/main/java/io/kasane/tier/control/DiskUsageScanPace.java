/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When the files in the fast directories are counted again: soon after a writer has ended or
 * replaced files were deleted, otherwise rarely. The more files there are, the longer it takes.
 * Until then what ended counts as reserved, and what has gone as being there. Not thread-safe.
 */
public final class DiskUsageScanPace {
  /** Half a second: others write to the disk, too, and a walk of few files costs nothing. */
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final LongSupplier nanoTime;
  private long beganNanos;
  private long endedNanos;
  private boolean hasChanged;

  public DiskUsageScanPace(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  public boolean isDue() {
    long ageNanos = nanoTime.getAsLong() - endedNanos;
    TimeBudget budget = hasChanged ? TimeBudget.WALKS : TimeBudget.IDLE_WALKS;
    return ageNanos >= budget.restNanos(endedNanos - beganNanos)
        && (hasChanged || ageNanos > PERIOD_NANOS);
  }

  public void begins() {
    beganNanos = nanoTime.getAsLong();
  }

  public void ended() {
    endedNanos = nanoTime.getAsLong();
    hasChanged = false;
  }

  /** Something was written or deleted that the last walk may have counted otherwise. */
  public void changed() {
    hasChanged = true;
  }

  public boolean hasChanged() {
    return hasChanged;
  }
}
