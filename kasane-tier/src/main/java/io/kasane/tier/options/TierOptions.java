/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.host.refuse.Refusal;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.pick.SizeBuckets;
import io.kasane.tier.pick.SlowDiskPrice;
import io.kasane.tier.pick.TimeWindows;
import io.kasane.tier.place.HeatPlacementProvider;
import io.kasane.tier.place.PlacementProvider;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The options of {@code HeatTieredCompactionStrategy} in a table's {@code compaction} map, read
 * once and checked here only. docs/operate/settings.md lists them.
 *
 * @param policy which keys are hot
 * @param counts which accesses make a key hot
 * @param chosen the policy, if it is a baseline
 * @param share of the share policy; absent = by how many reads miss memory
 * @param tracker the memory that the access tracker wishes for, and its period
 * @param placement where rows go, and whether those that became hot on slow are copied
 * @param mode whether the fast disk holds rows or copies of rows
 * @param fastQuotaBytes this table's part of the fast disk; absent = what the node's quota allows
 * @param fastFill share of the quota that the budget policy fills with hot rows; the rest is room
 *     for compaction to work in; absent = as {@code FastShards} allow
 * @param promotionRowsPerSecond most rows a second that are copied
 * @param promotionBytesPerSecond most bytes a second that are copied
 * @param picker numbers of the picker
 * @param trouble why some of the options could not be read, so that rows stay where they are
 */
public record TierOptions(
    Policy policy,
    Counts counts,
    Optional<BaselinePolicy> chosen,
    OptionalDouble share,
    HeatTrackerOptions tracker,
    PlacementProvider placement,
    Mode mode,
    OptionalLong fastQuotaBytes,
    OptionalDouble fastFill,
    long promotionRowsPerSecond,
    long promotionBytesPerSecond,
    PickerOptions picker,
    Optional<String> trouble) {

  /** Which keys are hot; DESIGN of each in {@code io.kasane.heat.policy}. */
  public enum Policy {
    BUDGET,
    SHARE,
    /** One that experiments compare with, see {@link BaselinePolicyProvider}. */
    BASELINE,
    /** Nothing is known, so that nothing moves: not for users, see {@link #parseOrStay}. */
    STAY
  }

  /** Which accesses count. */
  public enum Counts {
    READS,
    WRITES,
    BOTH
  }

  /** What the fast disk holds. */
  public enum Mode {
    /** Hot rows, which lie nowhere else. */
    TIER,
    /** Copies of hot rows; the slow disk is complete. */
    CACHE
  }

  static final String POLICY = "heat_policy";
  static final String COUNTS = "heat_counts";
  public static final String SHARE = "heat_share";
  static final String PERIOD = "heat_period";
  static final String CAPACITY = "heat_capacity";
  static final String PLACEMENT = "placement";
  static final String MODE = "tier_mode";
  static final String FAST_QUOTA = "fast_quota";
  static final String FAST_FILL = "fast_fill";
  static final String PROMOTION = "promotion";
  static final String PROMOTION_ROWS = "promotion_rows_per_second";
  static final String PROMOTION_BYTES = "promotion_bytes_per_second";
  static final String HOT_MIN_THRESHOLD = "hot_min_threshold";
  static final String SLOW_READ_COST = "slow_read_cost";
  static final String SLOW_WRITE_PRICE = "slow_write_price";
  static final String MIN_THRESHOLD = "min_threshold";
  static final String MAX_THRESHOLD = "max_threshold";
  static final String BUCKET_LOW = "bucket_low";
  static final String BUCKET_HIGH = "bucket_high";
  static final String MIN_SSTABLE_SIZE = "min_sstable_size";

  private static final List<String> USERS_POLICIES = List.of("budget", "share");

  static final String FAST_MAX_AGE = "fast_max_age";

  static final Set<String> NAMES =
      Set.of(
          FAST_MAX_AGE,
          WindowOptions.UNIT,
          WindowOptions.SIZE,
          WindowOptions.RESOLUTION,
          WindowOptions.CHECK,
          WindowOptions.AGGRESSIVE,
          POLICY,
          COUNTS,
          SHARE,
          PERIOD,
          CAPACITY,
          PLACEMENT,
          MODE,
          FAST_QUOTA,
          FAST_FILL,
          PROMOTION,
          PROMOTION_ROWS,
          PROMOTION_BYTES,
          HOT_MIN_THRESHOLD,
          SLOW_READ_COST,
          SLOW_WRITE_PRICE,
          MIN_THRESHOLD,
          MAX_THRESHOLD,
          BUCKET_LOW,
          BUCKET_HIGH,
          MIN_SSTABLE_SIZE);

  /** What tables of an earlier version may have, and tables of experiments. */
  private static final List<String> OF_BASELINES = List.of("heat_min_accesses", "heat_list");

  /** Hot rows and those that stay where they are fill at most this times the budget. */
  public static final double KEEP_FACTOR = 1.05;

  /**
   * Reads the options.
   *
   * @throws ConfigurationException naming the option, the value seen, the bound and the way out
   */
  public static TierOptions parse(Map<String, String> options) {
    return read(new OptionReader(options, true), Optional.empty());
  }

  /**
   * Reads options that a schema already holds, which may be of another version or of anyone's
   * making. Where one is bad its rows stay where they are: the defaults would move them. The other
   * options hold, above all that slow is to be complete, and the table's limit on fast.
   */
  public static TierOptions parseOrStay(Map<String, String> options) {
    try {
      return parse(options);
    } catch (ConfigurationException e) {
      return read(new OptionReader(options, false), Optional.of(e.getMessage()));
    }
  }

  private static TierOptions read(OptionReader in, Optional<String> trouble) {
    Optional<BaselinePolicy> chosen = Optional.empty();
    Policy policy = Policy.STAY;
    PlacementProvider placement = HeatPlacementProvider.HEAT;
    if (trouble.isEmpty()) {
      String name = in.word(POLICY, USERS_POLICIES, BaselineProviders.policies());
      chosen = BaselineProviders.policy(name).map(found -> BaselinePolicy.of(found, in.options()));
      policy = chosen.isPresent() ? Policy.BASELINE : Policy.valueOf(name.toUpperCase(Locale.ROOT));
      placement = placement(in);
    }
    Optional<TimeWindows> windows = WindowOptions.read(in);
    Mode mode = mode(in, placement == HeatPlacementProvider.HEAT, windows.isPresent());
    return new TierOptions(
        policy,
        in.choice(COUNTS, EnumSet.allOf(Counts.class), Counts.READS),
        chosen,
        in.share(SHARE),
        HeatTrackerOptions.defaults()
            .withCapacityKeys(
                (int)
                    in.integer(
                        CAPACITY,
                        HeatTrackerOptions.DEFAULT_CAPACITY,
                        HeatTrackerOptions.MIN_CAPACITY,
                        HeatTrackerOptions.MAX_CAPACITY))
            .withPeriodMillis(
                in.millis(
                    PERIOD,
                    HeatTrackerOptions.DEFAULT_PERIOD_MILLIS,
                    HeatTrackerOptions.MIN_PERIOD_MILLIS,
                    HeatTrackerOptions.MAX_PERIOD_MILLIS)),
        placement,
        mode,
        in.bytes(FAST_QUOTA, "its share of the node's fast_quota"),
        in.fill(),
        in.integer(PROMOTION_ROWS, 5_000, 1, Integer.MAX_VALUE),
        Math.max(1, in.bytes(PROMOTION_BYTES, "the default 16MiB").orElse(16L << 20)),
        picker(in, placement, mode, policy, windows),
        trouble);
  }

  /** By heat, with copies, unless one of two options names a baseline. */
  private static PlacementProvider placement(OptionReader in) {
    String placed = in.word(PLACEMENT, List.of("heat"), BaselineProviders.placements(PLACEMENT));
    String promoted = in.word(PROMOTION, List.of("copy"), BaselineProviders.placements(PROMOTION));
    return BaselineProviders.placement(PLACEMENT, placed)
        .or(() -> BaselineProviders.placement(PROMOTION, promoted))
        .orElse(HeatPlacementProvider.HEAT);
  }

  /**
   * Reads must know which rows lie on both disks, which is what promotion by copy keeps track of. A
   * window goes from slow as a whole only if all that it has is there.
   */
  private static Mode mode(OptionReader in, boolean copiesRows, boolean hasWindows) {
    Mode usual = hasWindows ? Mode.CACHE : Mode.TIER;
    Mode mode = in.choice(MODE, EnumSet.allOf(Mode.class), usual);
    if (mode != Mode.CACHE && hasWindows) {
      if (!in.strict()) {
        return Mode.CACHE;
      }
      throw new ConfigurationException(
          Refusal.of(
              "compaction option " + MODE,
              in.options().get(MODE),
              "'cache' for a table with time windows, whose rows all lie on slow",
              "leave it out, or leave out the options "
                  + String.join(", ", WindowOptions.OF_WINDOWS)));
    }
    if (mode == Mode.CACHE && !copiesRows) {
      throw new ConfigurationException(
          "compaction option "
              + MODE
              + " is 'cache' but must be 'tier' unless promotion is 'copy' and placement is 'heat';"
              + " leave these two out, or set tier_mode to 'tier'");
    }
    return mode;
  }

  private static PickerOptions picker(
      OptionReader in,
      PlacementProvider placement,
      Mode mode,
      Policy policy,
      Optional<TimeWindows> windows) {
    int min = (int) in.integer(MIN_THRESHOLD, 4, 2, Integer.MAX_VALUE);
    double low = in.decimal(BUCKET_LOW, 0.5, 0, 1);
    // Where rows go elsewhere than heat says, rewriting an SSTable for its hot rows is in vain.
    boolean mayRewrite = placement.isByHeat() && policy != Policy.STAY;
    return new PickerOptions(
        new PickerOptions.Thresholds(
            min,
            (int) in.integer(HOT_MIN_THRESHOLD, 0, 2, Integer.MAX_VALUE),
            (int) in.integer(MAX_THRESHOLD, Math.max(min, 32), min, Integer.MAX_VALUE)),
        new SizeBuckets(
            low,
            in.decimal(BUCKET_HIGH, 1.5, Math.max(1, low), 100),
            in.integer(MIN_SSTABLE_SIZE, 50L << 20, 0, Long.MAX_VALUE)),
        new SlowDiskPrice(
            in.bytes(SLOW_READ_COST, "the default 256KiB").orElse(256L << 10),
            in.decimal(SLOW_WRITE_PRICE, 1, 0, 1_000_000)),
        new PickerOptions.Moves(
            true, mayRewrite, placement != HeatPlacementProvider.HEAT, mode == Mode.CACHE),
        windows);
  }

  /**
   * Refuses options that a user gives, and that cannot be read or have no effect.
   *
   * @throws ConfigurationException naming the option, the value seen, the bound and the way out
   */
  public static void check(Map<String, String> options) {
    parse(options);
    Set<String> provided = BaselineProviders.options();
    for (String name : OF_BASELINES) {
      if (options.containsKey(name) && !provided.contains(name)) {
        throw new ConfigurationException(
            Refusal.of(
                "compaction option " + name,
                options.get(name),
                "left out, as only baselines of experiments read it, in the jar"
                    + " kasane-baselines",
                "leave it out"));
      }
    }
  }

  public static Map<String, String> withoutOurs(Map<String, String> options) {
    Map<String, String> rest = new HashMap<>(options);
    rest.keySet().removeAll(NAMES);
    rest.keySet().removeAll(BaselineProviders.options());
    return rest;
  }

  /** Whether it matters how often rows are accessed. */
  public boolean goesByHeat() {
    return policy != Policy.STAY && chosen.map(own -> own.provider().goesByHeat()).orElse(true);
  }

  /** The policy as a user names it. */
  public String policyName() {
    return chosen
        .map(own -> own.provider().name())
        .orElseGet(() -> policy.name().toLowerCase(Locale.ROOT));
  }

  /** The placement as a user names it. */
  public String placementName() {
    return placement.isByHeat() ? HeatPlacementProvider.HEAT.name() : placement.name();
  }

  /**
   * Whether rows are sorted by heat even where there is one disk only: the budget is then empty.
   */
  public boolean sortsWithoutFastDisk() {
    return placement.isByHeat() && policy != Policy.BUDGET;
  }

  /** Only heat knows which rows belong on fast. */
  public boolean copiesRows() {
    return placement == HeatPlacementProvider.HEAT;
  }
}
