/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.concurrent.TimeUnit;

/**
 * Limits the part of the time that some work may take: after a run, it pauses for a multiple of the
 * time that the run took, within bounds.
 *
 * @param restPerWork how many times as long
 * @param minNanos least rest
 * @param maxNanos most rest
 */
public record TimeBudget(int restPerWork, long minNanos, long maxNanos) {
  /** To sort rows again that lie on slow: whatever the reads say, a quarter of the time. */
  static final TimeBudget REWRITES = resting(3);

  /** A purge rewrites slow bytes to drop little: a twentieth of the time. */
  static final TimeBudget PURGES = resting(19);

  /** A draw passes all keys that are counted: a fiftieth of a processor, and once a second. */
  static final TimeBudget DRAWS = resting(50).atLeast(TimeUnit.SECONDS.toNanos(1));

  /** Room that came back is known only by a walk, and flushes of hot rows do not wait: a tenth. */
  static final TimeBudget WALKS = resting(10).atMost(TimeUnit.SECONDS.toNanos(10));

  /** While nothing has changed a walk finds what others did: a fiftieth, and after 10 s at last. */
  static final TimeBudget IDLE_WALKS = resting(50).atMost(TimeUnit.SECONDS.toNanos(10));

  /** To read rows all the time is one more client: half, and no more than a second behind. */
  private static final TimeBudget COPIES =
      resting(1).atLeast(TimeUnit.MILLISECONDS.toNanos(10)).atMost(TimeUnit.SECONDS.toNanos(1));

  /** A round that took less found next to nothing to do. */
  private static final long IDLE_ROUND_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** To wake up a hundred times a second for nothing costs more than to begin 40 ms late. */
  private static final long IDLE_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(40);

  private static TimeBudget resting(int restPerWork) {
    return new TimeBudget(restPerWork, 0, Long.MAX_VALUE);
  }

  TimeBudget atLeast(long nanos) {
    return new TimeBudget(restPerWork, nanos, maxNanos);
  }

  private TimeBudget atMost(long nanos) {
    return new TimeBudget(restPerWork, minNanos, nanos);
  }

  /** How long to rest after work that took, or will take, so long. */
  long restNanos(long workNanos) {
    double rest = restPerWork * (double) workNanos; // ages may be reckoned
    return (long) Math.min((double) maxNanos, Math.max((double) minNanos, rest));
  }

  /** How long the threads that copy rows rest after a round over all tables. */
  public static long restOfCopiesNanos(long workedNanos) {
    return workedNanos < IDLE_ROUND_NANOS ? IDLE_REST_NANOS : COPIES.restNanos(workedNanos);
  }
}
