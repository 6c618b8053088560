/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Gives timestamps above all that it gave and saw, close to the fastest of the clocks around.
 * Thread-safe.
 *
 * <p>Whoever is behind would lose every race for a key that others write, since they are ahead
 * again by the time it has put itself above what it saw. So the clock goes on from the highest
 * timestamp that it saw, at nine tenths of the speed of time: where nobody's wall clock is as far
 * ahead any more, all come back, by a second in ten, and never do clocks that follow each other
 * lead.
 *
 * <p>Source: Kulkarni et al., Logical Physical Clocks, OPODIS 2014, folded into one number; that it
 * goes on is ours.
 */
final class HybridLogicalClock {
  private static final long TENTHS_OF_SPEED = 9;

  private final Environment environment;
  private final Duration maxDrift;
  private final boolean merges;
  private final long client;
  private final AtomicLong lastMicros = new AtomicLong();
  private final AtomicReference<Seen> highest;
  private volatile Told told;

  HybridLogicalClock(Environment environment, Duration maxDrift, boolean merges) {
    this.environment = environment;
    this.maxDrift = maxDrift;
    this.merges = merges;
    this.client = environment.randomLong();
    this.highest = new AtomicReference<>(new Seen(0, environment.monotonicNanos()));
  }

  /** Learns how far the wall clock is ahead of others that are likely to be right. */
  void isAhead(Duration ahead) {
    told = new Told(ahead, environment.wallMicros(), environment.monotonicNanos());
  }

  /** As it was told, and by how much the wall clock was set since. */
  private Duration ahead() {
    Told last = told;
    if (last == null) {
      return Duration.ZERO;
    }
    long tickedNanos = environment.monotonicNanos() - last.atNanos;
    long wentMicros = environment.wallMicros() - last.atMicros;
    return last.ahead.plusNanos(wentMicros * 1000 - tickedNanos);
  }

  /**
   * Throws if the wall clock is known to be wrong: what it gives would keep others from writing, or
   * lie below what they wrote. Two that are off by half of the drift are a whole one apart.
   */
  void requireRight() {
    Duration off = ahead();
    if (!isWithinBound(off)) {
      throw ClockDriftException.ofOwn(off, bound(), client);
    }
  }

  /** Whether it is not known to be wrong. */
  boolean isRight() {
    return isWithinBound(ahead());
  }

  private boolean isWithinBound(Duration off) {
    return off.abs().compareTo(bound()) <= 0;
  }

  private Duration bound() {
    return maxDrift.dividedBy(2);
  }

  /** Above all before. */
  Timestamp next() {
    long now = Math.max(environment.wallMicros(), followedMicros(highest.get()));
    return new Timestamp(lastMicros.updateAndGet(last -> Math.max(now, last + 1)), client);
  }

  /**
   * Right above this one, and nobody else's: of a client that gives no other timestamp, so that
   * neither this clock nor another one has given it or will.
   */
  Timestamp rightAbove(Timestamp below) {
    Timestamp above = new Timestamp(below.micros() + 1, environment.randomLong());
    observe(above);
    return above;
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
      Seen fresh = new Seen(seen.micros(), environment.monotonicNanos());
      highest.accumulateAndGet(
          fresh, (old, given) -> followedMicros(old) > given.micros ? old : given);
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

  private long followedMicros(Seen seen) {
    long sinceMicros = (environment.monotonicNanos() - seen.atNanos) / 1000;
    return seen.micros + sinceMicros * TENTHS_OF_SPEED / 10;
  }

  /**
   * What was told of the wall clock.
   *
   * @param atMicros on the wall clock
   * @param atNanos on the monotonic clock
   */
  private record Told(Duration ahead, long atMicros, long atNanos) {}

  /**
   * A timestamp of another client.
   *
   * @param atNanos on the monotonic clock
   */
  private record Seen(long micros, long atNanos) {}
}
