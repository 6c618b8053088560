/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether an engine is to be called. After one failure it is out, until a probe succeeds: each
 * flush of each table would wait for its patience else. A failure that may be one table's alone
 * only lets it be probed. Probes are made ever more rarely while they fail. Thread-safe.
 */
public final class CircuitBreaker {
  /** A disk that was full for a moment is asked again soon. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  /** So that an engine is back within a minute once its disk is well. */
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  private final LongSupplier nanoClock;
  private String reason;
  private long outSinceNanos;
  private long pauseNanos;
  private long probeAtNanos;
  private boolean isSuspected;
  private boolean probing;
  private long failures;

  /**
   * Of an engine that works.
   *
   * @param nanoClock as {@link System#nanoTime}
   */
  public CircuitBreaker(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Whether the engine may be called. */
  public synchronized boolean isClosed() {
    return reason == null;
  }

  /** A call has failed, or is late: the engine is out from now on, if it was not before. */
  public synchronized void failed(String why) {
    failures++;
    if (reason == null) {
      outSinceNanos = nanoClock.getAsLong();
      pauseNanos = FIRST_PAUSE.toNanos();
      probeAtNanos = outSinceNanos + pauseNanos;
    }
    reason = why;
  }

  /** A call has failed, maybe for its table alone: the engine is to be probed, if it is not out. */
  public synchronized void suspected() {
    isSuspected = reason == null;
  }

  /**
   * Whether to probe now. One caller at a time gets true, and must say how it went by {@link
   * #probed}.
   */
  public synchronized boolean beginsProbe() {
    boolean isDue = reason == null ? isSuspected : nanoClock.getAsLong() - probeAtNanos >= 0;
    if (probing || !isDue) {
      return false;
    }
    isSuspected = false;
    probing = true;
    return true;
  }

  /**
   * The probe has ended.
   *
   * @param failure why it failed; null if the engine works
   * @return whether the engine works again, or is out only now
   */
  public synchronized boolean probed(String failure) {
    if (!probing) {
      throw new IllegalStateException("no probe was begun");
    }
    probing = false;
    boolean wasOut = reason != null;
    if (failure == null) {
      reason = null;
      return wasOut;
    }
    if (!wasOut) {
      failed(failure);
      return true;
    }
    reason = failure;
    failures++;
    pauseNanos = Math.min(2 * pauseNanos, MAX_PAUSE.toNanos());
    probeAtNanos = nanoClock.getAsLong() + pauseNanos;
    return false;
  }

  /**
   * How it stands.
   *
   * @param reason why the engine is out; null if it is not
   * @param outFor since when it is; zero if it is not
   * @param failures of calls and probes, ever
   */
  public record State(String reason, Duration outFor, long failures) {
    public boolean isClosed() {
      return reason == null;
    }
  }

  public synchronized State state() {
    Duration outFor =
        reason == null ? Duration.ZERO : Duration.ofNanos(nanoClock.getAsLong() - outSinceNanos);
    return new State(reason, outFor, failures);
  }
}
