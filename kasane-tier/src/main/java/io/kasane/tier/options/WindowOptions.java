/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.host.refuse.Refusal;
import io.kasane.tier.pick.TimeWindows;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The options of windows of time. They are named as those of Cassandra's {@code
 * TimeWindowCompactionStrategy}, so that ALTER TABLE has to change the class alone. A table has
 * windows if one of the first two is given.
 */
final class WindowOptions {
  static final String UNIT = "compaction_window_unit";
  static final String SIZE = "compaction_window_size";
  static final String RESOLUTION = "timestamp_resolution";
  static final String CHECK = "expired_sstable_check_frequency_seconds";
  static final String AGGRESSIVE = "unsafe_aggressive_sstable_expiration";

  /** What makes windows. */
  static final List<String> OF_WINDOWS = List.of(UNIT, SIZE);

  private static final List<String> WITH_WINDOWS =
      List.of(RESOLUTION, CHECK, AGGRESSIVE, TierOptions.FAST_MAX_AGE);

  /** As stock does. */
  private static final List<String> OF_TOMBSTONES =
      List.of(
          "unchecked_tombstone_compaction", "tombstone_compaction_interval", "tombstone_threshold");

  private static final Set<TimeUnit> RESOLUTIONS =
      EnumSet.of(
          TimeUnit.SECONDS, TimeUnit.MILLISECONDS, TimeUnit.MICROSECONDS, TimeUnit.NANOSECONDS);

  private static final int MOST_UNITS = 100_000;
  private static final long MOST_AGE_MILLIS = TimeUnit.DAYS.toMillis(MOST_UNITS);

  private WindowOptions() {}

  /**
   * Reads them. What a schema holds and cannot be read makes windows of which none is merged with
   * another.
   */
  static Optional<TimeWindows> read(OptionReader in) {
    if (OF_WINDOWS.stream().noneMatch(in.options()::containsKey)) {
      refuseWithoutWindows(in);
      return Optional.empty();
    }
    if (in.strict()) {
      return Optional.of(windows(in));
    }
    try {
      return Optional.of(windows(new OptionReader(in.options(), true)));
    } catch (ConfigurationException e) {
      return Optional.of(TimeWindows.NEVER_MERGED);
    }
  }

  private static void refuseWithoutWindows(OptionReader in) {
    for (String name : WITH_WINDOWS) {
      if (in.strict() && in.options().containsKey(name)) {
        throw new ConfigurationException(
            Refusal.of(
                "compaction option " + name,
                in.options().get(name),
                "given together with " + String.join(" and ", OF_WINDOWS),
                "give these, too, or leave it out"));
      }
    }
  }

  private static TimeWindows windows(OptionReader in) {
    TimeUnit unit =
        in.choice(UNIT, EnumSet.of(TimeUnit.MINUTES, TimeUnit.HOURS, TimeUnit.DAYS), TimeUnit.DAYS);
    long sizeMillis = unit.toMillis(in.integer(SIZE, 1, 1, MOST_UNITS));
    if (!in.options().getOrDefault(AGGRESSIVE, "false").trim().equalsIgnoreCase("false")) {
      throw new ConfigurationException(
          Refusal.of(
              "compaction option " + AGGRESSIVE,
              in.options().get(AGGRESSIVE),
              "'false', as windows never go while they hide older data of others",
              "leave it out"));
    }
    return new TimeWindows(
        sizeMillis,
        in.choice(RESOLUTION, RESOLUTIONS, TimeUnit.MICROSECONDS),
        TimeUnit.SECONDS.toMillis(in.integer(CHECK, 600, 0, Integer.MAX_VALUE)),
        in.options().containsKey(TierOptions.FAST_MAX_AGE)
            ? OptionalLong.of(
                in.millis(TierOptions.FAST_MAX_AGE, MOST_AGE_MILLIS, sizeMillis, MOST_AGE_MILLIS))
            : OptionalLong.empty(),
        OF_TOMBSTONES.stream()
            .anyMatch(name -> !in.options().getOrDefault(name, "false").trim().equals("false")));
  }
}
