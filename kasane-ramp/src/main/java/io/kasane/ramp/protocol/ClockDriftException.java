/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Timestamp;
import java.time.Duration;

/**
 * A key has a version from so far in the future that nothing can be placed above it: the clock of
 * the client that wrote it is wrong, or this one's. Nobody sees anything of it.
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

  /** Whose version it is. */
  public long client() {
    return client;
  }
}
