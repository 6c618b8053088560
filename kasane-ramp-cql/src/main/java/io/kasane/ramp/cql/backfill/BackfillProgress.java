/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a backfill, or its verification, is.
 *
 * @param share how much of the ring was gone through, from 0 to 1, over all its processes
 * @param counts over all its processes
 * @param running how long this process has been at it
 * @param left about how long it will take yet; empty while nobody can say
 */
public record BackfillProgress(
    double share, BackfillCounts counts, Duration running, Optional<Duration> left) {

  /**
   * Now.
   *
   * @param begunAt the share at which this process began
   */
  static BackfillProgress of(
      double share, BackfillCounts counts, Duration running, double begunAt) {
    double done = share - begunAt;
    Optional<Duration> left =
        done <= 0 || running.isZero()
            ? Optional.empty()
            : Optional.of(
                Duration.ofSeconds(Math.round(running.toMillis() / 1000.0 * (1 - share) / done)));
    return new BackfillProgress(share, counts, running, left);
  }
}
