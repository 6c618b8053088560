/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The time before which no write is in the commit log any more, so that a replay cannot bring it
 * back. Cassandra deletes each segment when it is clean, in any order, so a younger deletion may be
 * gone from the log while what it deletes is still there. Thread-safe.
 */
final class CommitLogHorizon {
  /** The last time at which each segment was the one that is written to. */
  private final TreeMap<Long, Long> lastMillisBySegment = new TreeMap<>();

  private OptionalLong oldestBefore = OptionalLong.empty();
  private long goneMillis = Long.MIN_VALUE;

  /**
   * Looks at the log, some seconds after it did last: a file that was deleted between may come back
   * in a power failure until then.
   *
   * @param current the segment that is written to
   * @param oldest of those whose files are there
   */
  synchronized void look(long nowMillis, long current, OptionalLong oldest) {
    lastMillisBySegment.put(current, nowMillis);
    long first =
        Math.min(Math.min(oldest.orElse(current), oldestBefore.orElse(Long.MIN_VALUE)), current);
    Map<Long, Long> gone = lastMillisBySegment.headMap(first);
    gone.values().forEach(millis -> goneMillis = Math.max(goneMillis, millis));
    gone.clear();
    oldestBefore = OptionalLong.of(oldest.orElse(current));
  }

  /** What was written before, in milliseconds since the epoch, is in no file of the log. */
  synchronized long goneMillis() {
    return goneMillis;
  }
}
