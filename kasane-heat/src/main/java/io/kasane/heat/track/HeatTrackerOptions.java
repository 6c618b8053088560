/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

/**
 * Settings of one {@link HeatTracker}; checked on construction.
 *
 * @param capacityKeys most keys tracked at once, {@value #MIN_CAPACITY} to {@value #MAX_CAPACITY},
 *     but 3,000 are always; memory is at most {@value #KEY_BYTES} bytes each, taken as keys arrive
 * @param periodMillis length of an access period in milliseconds, {@value #MIN_PERIOD_MILLIS} to
 *     {@value #MAX_PERIOD_MILLIS}
 * @param agingAccesses heat is halved each time this many accesses were recorded, up to {@value
 *     #MAX_AGING_ACCESSES}; {@link #AUTOMATIC_AGING} lets it follow the number of tracked keys
 */
public record HeatTrackerOptions(int capacityKeys, long periodMillis, long agingAccesses) {
  /** Fewest keys a tracker can be told to hold. */
  public static final int MIN_CAPACITY = 1;

  /** Most keys a tracker can be told to hold (2 GiB). */
  public static final int MAX_CAPACITY = 200_000_000;

  /** Most bytes that a key takes. */
  public static final int KEY_BYTES = 11;

  /** Default of {@code capacityKeys}: as many as memory allows. */
  public static final int DEFAULT_CAPACITY = MAX_CAPACITY;

  /** Shortest period, in milliseconds. */
  public static final long MIN_PERIOD_MILLIS = 10;

  /** Longest period, in milliseconds: one day. */
  public static final long MAX_PERIOD_MILLIS = 86_400_000;

  /** Default of {@code periodMillis}: the 10 s of the TIER paper. */
  public static final long DEFAULT_PERIOD_MILLIS = 10_000;

  /** Value of {@code agingAccesses} that means: a multiple of the tracked keys. */
  public static final long AUTOMATIC_AGING = 0;

  /** Largest {@code agingAccesses}. */
  public static final long MAX_AGING_ACCESSES = 2_000_000_000;

  /** With automatic aging and room left, accesses per tracked key between two halvings. */
  public static final int AUTOMATIC_AGING_PER_KEY = 4;

  /**
   * The same once the tracker is full: there are more keys than it holds, each accessed more
   * rarely, and telling the warm from the cold takes more accesses.
   */
  public static final int AUTOMATIC_AGING_PER_KEY_FULL = 10;

  /** With automatic aging and room left, fewest accesses between two halvings. */
  public static final long AUTOMATIC_AGING_FLOOR = 500_000;

  /** The same once the tracker is full. */
  public static final long AUTOMATIC_AGING_FLOOR_FULL = 1_000_000;

  /** Checks the settings. */
  public HeatTrackerOptions {
    check("capacityKeys", capacityKeys, MIN_CAPACITY, MAX_CAPACITY, "keys");
    check("periodMillis", periodMillis, MIN_PERIOD_MILLIS, MAX_PERIOD_MILLIS, "milliseconds");
    check(
        "agingAccesses",
        agingAccesses,
        AUTOMATIC_AGING,
        MAX_AGING_ACCESSES,
        "accesses (0 = automatic)");
  }

  /** As many keys as memory allows, periods of 10 s, automatic aging. */
  public static HeatTrackerOptions defaults() {
    return new HeatTrackerOptions(DEFAULT_CAPACITY, DEFAULT_PERIOD_MILLIS, AUTOMATIC_AGING);
  }

  /** These settings with another {@code capacityKeys}. */
  public HeatTrackerOptions withCapacityKeys(int keys) {
    return new HeatTrackerOptions(keys, periodMillis, agingAccesses);
  }

  /** These settings with another {@code periodMillis}. */
  public HeatTrackerOptions withPeriodMillis(long millis) {
    return new HeatTrackerOptions(capacityKeys, millis, agingAccesses);
  }

  /** These settings with another {@code agingAccesses}. */
  public HeatTrackerOptions withAgingAccesses(long accesses) {
    return new HeatTrackerOptions(capacityKeys, periodMillis, accesses);
  }

  /** Accesses between two halvings when this many keys are tracked. */
  long agingAccessesFor(long trackedKeys) {
    if (agingAccesses != AUTOMATIC_AGING) {
      return agingAccesses;
    }
    boolean room = trackedKeys < capacityKeys * 3L / 4;
    long wanted =
        room
            ? Math.max(AUTOMATIC_AGING_FLOOR, AUTOMATIC_AGING_PER_KEY * trackedKeys)
            : Math.max(AUTOMATIC_AGING_FLOOR_FULL, AUTOMATIC_AGING_PER_KEY_FULL * trackedKeys);
    return Math.min(MAX_AGING_ACCESSES, wanted);
  }

  private static void check(String setting, long seen, long least, long most, String unit) {
    if (seen < least || seen > most) {
      throw new IllegalArgumentException(
          setting
              + " is "
              + seen
              + ", but must be "
              + least
              + " to "
              + most
              + " "
              + unit
              + ": set it within that range or leave it out for the default");
    }
  }
}
