/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Windows of time: slow SSTables of two of them are never merged, and those of which everything has
 * expired go as a whole. They are cut as those of Cassandra's {@code TimeWindowCompactionStrategy},
 * by the newest timestamp of an SSTable.
 *
 * @param sizeMillis how long one is
 * @param timestampUnit of the timestamps that clients write
 * @param checkMillis how often is looked for what has expired
 * @param maxFastAgeMillis when rows leave fast after they were last written, whatever they are read
 * @param dropsTombstones whether an SSTable with many tombstones is compacted alone
 */
public record TimeWindows(
    long sizeMillis,
    TimeUnit timestampUnit,
    long checkMillis,
    OptionalLong maxFastAgeMillis,
    boolean dropsTombstones) {
  /** Of a schema whose windows cannot be read: what was merged cannot be parted again. */
  public static final TimeWindows NEVER_MERGED =
      new TimeWindows(
          1, TimeUnit.MICROSECONDS, TimeUnit.MINUTES.toMillis(10), OptionalLong.empty(), false);

  /** What leaves fast does so in steps of this part of the greatest age, or of a window. */
  private static final int STEPS = 8;

  /** No timestamp of a clock; rounding one down cannot overflow. */
  private static final long EARLIEST_MILLIS = Long.MIN_VALUE / 2;

  /** A timestamp that a client wrote, in milliseconds since 1970. */
  public long millis(long timestamp) {
    return Math.max(EARLIEST_MILLIS, timestampUnit.toMillis(timestamp));
  }

  /** Where the window begins that holds a moment; milliseconds since 1970. */
  public long startOf(long millis) {
    return roundDown(millis, sizeMillis);
  }

  private static long roundDown(long millis, long stepMillis) {
    long bounded = Math.max(EARLIEST_MILLIS, millis);
    return bounded - Math.floorMod(bounded, stepMillis);
  }

  /**
   * Where the window begins that is being written: SSTables of it and of later ones are merged by
   * size. Who loads old data, or whose clients' clocks are late, writes the newest that there is.
   *
   * @param newestMillis of all data
   */
  public long openSince(long newestMillis, long nowMillis) {
    return startOf(Math.min(newestMillis, nowMillis));
  }

  /** Rows that were last written before this leave fast; the earliest moment if all may stay. */
  public long oldestOnFast(long nowMillis) {
    return maxFastAgeMillis.isEmpty()
        ? EARLIEST_MILLIS
        : roundDown(nowMillis - maxFastAgeMillis.getAsLong(), stepMillis());
  }

  private long stepMillis() {
    return Math.max(sizeMillis, maxFastAgeMillis.getAsLong() / STEPS);
  }

  /** Since when {@link #oldestOnFast} has been what it is. */
  public long oldestOnFastSince(long nowMillis) {
    return maxFastAgeMillis.isEmpty()
        ? EARLIEST_MILLIS
        : oldestOnFast(nowMillis) + maxFastAgeMillis.getAsLong();
  }
}
