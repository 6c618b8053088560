/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much room on the fast disk a table's flushes need, going by the last ones. If a flush finds
 * no room, updates of the hottest rows go to slow, and then every read of these rows goes to slow
 * too. But room that is kept for flushes cannot hold rows.
 *
 * <p>Where rows are updated far more often than read, merges may not free it as fast as flushes
 * take it. Then fewer rows may fill the disk, until flushes find room again: a row whose updates
 * all come to fast is worth more than two that each miss one. Thread-safe.
 */
public final class FlushNeed {
  /** As much is kept at first and after a flush that was refused, and ever less from then on. */
  public static final double MAX_SHARE = 0.07;

  /** However small the last flushes were, the next may be larger. */
  private static final double MIN_SHARE = 0.02;

  /** Flushes differ: the next may ask for half as much again. */
  private static final double SAFETY = 1.5;

  /** What a large flush still counts a flush later: half of it after fourteen. */
  private static final double KEPT_PER_FLUSH = 0.95;

  /** One refusal in fifty flushes is borne: more, and fewer rows stay. */
  private static final double LESS_AFTER_REFUSAL = 0.05;

  /** A fiftieth of {@link #LESS_AFTER_REFUSAL}: so one in fifty keeps the balance. */
  private static final double MORE_AFTER_FLUSH = 0.001;

  /** Half of the rows still get most of the reads; if that is too many, room is not what lacks. */
  private static final double MIN_FILL = 0.5;

  /** A node that flushes rarely need not wait for hundreds of flushes: an hour gives all back. */
  private static final double MORE_PER_NANO = (1 - MIN_FILL) / TimeUnit.HOURS.toNanos(1);

  private final LongSupplier nanoClock;
  private long peakBytes = -1;
  private double fill = 1;
  private long fillSetAtNanos;

  /**
   * Before any flush.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public FlushNeed(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    fillSetAtNanos = nanoClock.getAsLong();
  }

  /** A flush asked for {@code bytes} on fast and got them. */
  public synchronized void flushed(long bytes, long quotaBytes) {
    if (bytes == 0) {
      return; // it had no hot rows, which tells nothing of one that has
    }
    if (peakBytes < 0) {
      keepMost(quotaBytes);
    }
    setFill(Math.min(1, fill() + MORE_AFTER_FLUSH));
    peakBytes = Math.max(bytes, (long) (KEPT_PER_FLUSH * peakBytes));
  }

  /** A flush asked for more than there was. */
  public synchronized void refused(long quotaBytes) {
    setFill(Math.max(MIN_FILL, fill() - LESS_AFTER_REFUSAL));
    keepMost(quotaBytes);
  }

  private void setFill(double share) {
    fill = share;
    fillSetAtNanos = nanoClock.getAsLong();
  }

  private void keepMost(long quotaBytes) {
    peakBytes = (long) (mostBytes(quotaBytes) / SAFETY);
  }

  /**
   * What to leave for flushes.
   *
   * @param quotaBytes of the table
   */
  public synchronized long roomBytes(long quotaBytes) {
    long mostBytes = mostBytes(quotaBytes);
    long wanted = (long) Math.max(MIN_SHARE * quotaBytes, SAFETY * peakBytes);
    return peakBytes < 0 ? mostBytes : Math.min(mostBytes, wanted);
  }

  /**
   * How much of what hot rows may fill otherwise leaves flushes enough, {@value #MIN_FILL} to 1.
   */
  public synchronized double fill() {
    long passedNanos = nanoClock.getAsLong() - fillSetAtNanos;
    return Math.min(1, fill + MORE_PER_NANO * passedNanos);
  }

  public static long mostBytes(long quotaBytes) {
    return (long) (MAX_SHARE * quotaBytes);
  }
}
