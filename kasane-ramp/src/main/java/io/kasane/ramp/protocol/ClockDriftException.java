/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.time.Duration;

/**
 * A key has a version from so far in the future that nothing can be placed above it, or this
 * machine's clock is that far from the nodes': a clock is wrong. Nobody sees anything of the put.
 */
public class ClockDriftException extends RampException {
  private static final long serialVersionUID = 1;

  private final long client;

  /** With what was seen, and how far ahead it may be. */
  public ClockDriftException(Timestamp seen, long wallMicros, Duration bound) {
    super(
        String.format(
            "a version of client %016x is %d ms ahead of this machine's clock, maxClockDrift is"
                + " %d ms: set the clocks right, or raise maxClockDrift",
            seen.client(), (seen.micros() - wallMicros) / 1000, bound.toMillis()));
    this.client = seen.client();
  }

  private ClockDriftException(String message, long client) {
    super(message);
    this.client = client;
  }

  /** This machine's own clock is so far from others' that its puts would block them, or be lost. */
  static ClockDriftException ofOwn(Duration ahead, Duration bound, long client) {
    return new ClockDriftException(
        String.format(
            "this machine's clock is %d ms %s the nodes' clocks, half of maxClockDrift is %d ms:"
                + " set it right (NTP), or raise maxClockDrift for all clients",
            Math.abs(ahead.toMillis()),
            ahead.isNegative() ? "behind" : "ahead of",
            bound.toMillis()),
        client);
  }

  /** The client whose version or clock it is. */
  public long client() {
    return client;
  }
}
