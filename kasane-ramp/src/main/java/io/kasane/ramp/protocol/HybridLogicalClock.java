/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Gives timestamps above all that it gave and saw, close to the wall clock. Thread-safe.
 *
 * <p>Source: Kulkarni et al., Logical Physical Clocks, OPODIS 2014, folded into one number.
 */
final class HybridLogicalClock {
  private final Environment environment;
  private final Duration maxDrift;
  private final boolean merges;
  private final long client;
  private final AtomicLong lastMicros = new AtomicLong();

  HybridLogicalClock(Environment environment, Duration maxDrift, boolean merges) {
    this.environment = environment;
    this.maxDrift = maxDrift;
    this.merges = merges;
    this.client = environment.randomLong();
  }

  /** The client whose timestamps these are. */
  long client() {
    return client;
  }

  /** Above all before. */
  Timestamp next() {
    long wall = environment.wallMicros();
    return new Timestamp(lastMicros.updateAndGet(last -> Math.max(wall, last + 1)), client);
  }

  /** Puts what comes next above this, unless it is so far ahead that it is not to be believed. */
  boolean observe(Timestamp seen) {
    if (seen.micros() <= lastMicros.get()) {
      return true;
    }
    if (isTooFarAhead(seen)) {
      return false;
    }
    if (merges) {
      lastMicros.accumulateAndGet(seen.micros(), Math::max);
    }
    return true;
  }

  /**
   * As {@link #observe}, for what must be below the next timestamp.
   *
   * @throws ClockDriftException if it is not to be believed
   */
  void placeAbove(Timestamp seen) {
    if (!observe(seen)) {
      throw new ClockDriftException(seen, environment.wallMicros(), maxDrift);
    }
  }

  private boolean isTooFarAhead(Timestamp seen) {
    return seen.micros() - environment.wallMicros() > maxDrift.toNanos() / 1000;
  }
}
