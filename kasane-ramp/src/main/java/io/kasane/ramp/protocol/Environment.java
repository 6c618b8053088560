/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.time.Duration;

/** Time and chance, so that a simulator may own both. Thread-safe. */
public interface Environment {
  /** Microseconds since 1970, as this machine believes. */
  long wallMicros();

  /** A clock that never goes back, from an arbitrary beginning. */
  long monotonicNanos();

  /** A number drawn at random. */
  long randomLong();

  /** Runs something later, once; what it throws is the environment's to log. */
  void after(Duration delay, Runnable task);

  /** Tells whoever runs the process that something is given up. */
  void warn(String message);
}
