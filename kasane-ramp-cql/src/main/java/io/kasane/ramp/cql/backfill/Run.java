/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import java.time.Duration;
import java.time.Instant;

/**
 * A run of a backfill, by one process after the other.
 *
 * @param began when its first process began
 * @param source the table that it reads
 * @param position the token up to which all rows are in the target
 * @param counts what was met up to there
 */
record Run(Instant began, String source, long position, BackfillCounts counts) {
  static Run beginning(Instant began, String source) {
    return new Run(began, source, Long.MIN_VALUE, BackfillCounts.NONE);
  }

  boolean isDone() {
    return position == Long.MAX_VALUE;
  }

  /** How much of the ring lies behind it, from 0 to 1. */
  double share() {
    return share(position);
  }

  static double share(long token) {
    return ((double) token - Long.MIN_VALUE) / ((double) Long.MAX_VALUE - Long.MIN_VALUE);
  }

  Run at(long position, BackfillCounts more) {
    return new Run(began, source, position, counts.plus(more));
  }

  /** How long ago it began, by this machine's clock. */
  Duration age() {
    return Duration.between(began, Instant.now());
  }
}
