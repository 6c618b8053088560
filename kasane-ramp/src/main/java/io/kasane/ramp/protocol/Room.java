/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.time.Duration;

/**
 * How much memory may be taken by what waits, and what is said when something finds none.
 * Thread-safe.
 */
final class Room {
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final long bytes;
  private final String warning;
  private final Environment environment;
  private long taken;
  private long refused;
  private long saidNanos;

  /**
   * An empty room.
   *
   * @param warning what is lost, and what to do; said once a minute at most, after how often
   */
  Room(long bytes, String warning, Environment environment) {
    this.bytes = bytes;
    this.warning = warning;
    this.environment = environment;
    this.saidNanos = environment.monotonicNanos() - QUIET_NANOS;
  }

  /** Takes so much if it is there. */
  synchronized boolean take(long wanted) {
    if (wanted > bytes - taken) {
      return false;
    }
    taken += wanted;
    return true;
  }

  /** Gives back what was taken. */
  synchronized void give(long back) {
    taken -= back;
  }

  /** Something was given up for lack of room. */
  void refuse() {
    long said;
    synchronized (this) {
      refused++;
      long now = environment.monotonicNanos();
      if (now - saidNanos < QUIET_NANOS) {
        return;
      }
      saidNanos = now;
      said = refused;
      refused = 0;
    }
    environment.warn(said + " " + warning);
  }

  /** How much is taken. */
  synchronized long taken() {
    return taken;
  }
}
