/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends what takes too long. All take equally long, so one timer waits for the oldest. Thread-safe.
 */
final class Deadlines {
  private final Environment environment;
  private final Duration deadline;
  private final Set<Expiry> running = new LinkedHashSet<>();
  private boolean armed;

  Deadlines(Environment environment, Duration deadline) {
    this.environment = environment;
    this.deadline = deadline;
  }

  /** Begins; {@code late} is run once, unless {@link Expiry#done} comes first. */
  Expiry start(Runnable late) {
    Expiry expiry = new Expiry(environment.monotonicNanos() + deadline.toNanos(), late);
    boolean arm;
    synchronized (running) {
      running.add(expiry);
      arm = !armed;
      armed = true;
    }
    if (arm) {
      environment.after(deadline, this::ring);
    }
    return expiry;
  }

  private void ring() {
    long now = environment.monotonicNanos();
    List<Expiry> late = new ArrayList<>();
    Duration next = null;
    synchronized (running) {
      for (Expiry expiry : running) {
        if (expiry.atNanos - now > 0) {
          next = Duration.ofNanos(expiry.atNanos - now);
          break;
        }
        late.add(expiry);
      }
      late.forEach(running::remove);
      armed = next != null;
    }
    if (next != null) {
      environment.after(next, this::ring);
    }
    late.forEach(expiry -> expiry.late.run());
  }

  UnavailableException exceeded() {
    return new UnavailableException(
        "no answer within the deadline of " + deadline.toMillis() + " ms");
  }

  /** Something that ends in time. */
  final class Expiry {
    private final long atNanos;
    private final Runnable late;

    private Expiry(long atNanos, Runnable late) {
      this.atNanos = atNanos;
      this.late = late;
    }

    /** It ended. */
    void done() {
      synchronized (running) {
        running.remove(this);
      }
    }

    /** Throws if it is late already, though the timer may not have said so. */
    void check() {
      if (environment.monotonicNanos() - atNanos > 0) {
        throw exceeded();
      }
    }
  }
}
