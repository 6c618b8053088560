/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.heat.HeatPolicy;
import io.kasane.heat.HeatTrackerOptions;
import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.policy.SharePolicy;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.host.NodeConfig;
import io.kasane.host.Refusal;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.place.Placement;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The options of {@link HeatTieredCompactionStrategy} in a table's {@code compaction} map, read
 * once and checked here only. docs/operate/settings.md lists them.
 *
 * @param policy which keys are hot
 * @param counts which accesses make a key hot
 * @param minAccesses of the window policy
 * @param share of the share policy; absent = by how many reads miss memory
 * @param list name of the listed policy's file
 * @param tracker the memory that the access tracker wishes for, and its period
 * @param placement where rows go
 * @param mode whether the fast disk holds rows or copies of rows
 * @param fastQuotaBytes this table's part of the fast disk; absent = what the node's quota allows
 * @param fastFill share of the quota that the budget policy fills with hot rows; the rest is room
 *     for compaction to work in; absent = as {@link FastShards} allow
 * @param promotion how rows that became hot on slow come to fast
 * @param promotionRowsPerSecond most rows a second that are copied
 * @param promotionBytesPerSecond most bytes a second that are copied
 * @param picker numbers of the picker
 * @param trouble why some of the options could not be read, so that rows stay where they are
 */
public record TierOptions(
    Policy policy,
    Counts counts,
    int minAccesses,
    OptionalDouble share,
    Optional<String> list,
    HeatTrackerOptions tracker,
    Placement.Kind placement,
    Mode mode,
    OptionalLong fastQuotaBytes,
    OptionalDouble fastFill,
    Promotion promotion,
    long promotionRowsPerSecond,
    long promotionBytesPerSecond,
    PickerOptions picker,
    Optional<String> trouble) {

  /** Which keys are hot; DESIGN of each in {@code io.kasane.heat.policy}. */
  public enum Policy {
    BUDGET,
    LISTED,
    SHARE,
    WINDOW,
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

  /** How rows that became hot after they were written to slow come to fast. */
  public enum Promotion {
    /** Copied soon after a read found them; large partitions by rewriting. */
    COPY,
    /** When their SSTable is rewritten, because its hot rows cost more reads than that. */
    REWRITE
  }

  static final String POLICY = "heat_policy";
  static final String COUNTS = "heat_counts";
  static final String MIN_ACCESSES = "heat_min_accesses";
  static final String SHARE = "heat_share";
  static final String LIST = "heat_list";
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

  private static final String AUTO = "auto";
  private static final Set<Policy> USERS_POLICIES = EnumSet.complementOf(EnumSet.of(Policy.STAY));

  static final Set<String> NAMES =
      Set.of(
          POLICY,
          COUNTS,
          MIN_ACCESSES,
          SHARE,
          LIST,
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

  /** Hot rows and those that stay where they are fill at most this times the budget. */
  static final double KEEP_FACTOR = 1.05;

  private static final String LIST_NAME =
      "the name of a file in key_lists_directory of kasane.yaml, of 1 to 128 letters, digits, '.',"
          + " '_' and '-', not beginning with '.'";

  /**
   * Reads the options.
   *
   * @throws ConfigurationException naming the option, the value seen, the bound and the way out
   */
  public static TierOptions parse(Map<String, String> options) {
    return read(new Reader(options, true), Optional.empty());
  }

  /**
   * Reads options that a schema already holds, which may be of another version or of anyone's
   * making. Where one is bad its rows stay where they are: the defaults would move them. The other
   * options hold, above all that slow is to be complete, and the table's limit on fast.
   */
  static TierOptions parseOrStay(Map<String, String> options) {
    try {
      return parse(options);
    } catch (ConfigurationException e) {
      return read(new Reader(options, false), Optional.of(e.getMessage()));
    }
  }

  private static TierOptions read(Reader in, Optional<String> trouble) {
    Policy policy = in.choice(POLICY, USERS_POLICIES, Policy.BUDGET);
    Promotion promotion = in.choice(PROMOTION, EnumSet.allOf(Promotion.class), Promotion.COPY);
    Placement.Kind placement =
        in.choice(PLACEMENT, EnumSet.allOf(Placement.Kind.class), Placement.Kind.HEAT);
    if (trouble.isPresent()) {
      policy = Policy.STAY;
      promotion = Promotion.COPY;
      placement = Placement.Kind.HEAT;
    }
    Mode mode = mode(in, copies(promotion, placement));
    return new TierOptions(
        policy,
        in.choice(COUNTS, EnumSet.allOf(Counts.class), Counts.READS),
        (int) in.integer(MIN_ACCESSES, 1, 1, Short.MAX_VALUE),
        in.share(SHARE),
        in.list(policy == Policy.LISTED),
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
        promotion,
        in.integer(PROMOTION_ROWS, 5_000, 1, Integer.MAX_VALUE),
        Math.max(1, in.bytes(PROMOTION_BYTES, "the default 16MiB").orElse(16L << 20)),
        picker(in, promotion, placement, mode, policy),
        trouble);
  }

  /**
   * Reads must know which rows lie on both disks, which is what promotion by copy keeps track of.
   */
  private static Mode mode(Reader in, boolean copiesRows) {
    Mode mode = in.choice(MODE, EnumSet.allOf(Mode.class), Mode.TIER);
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
      Reader in, Promotion promotion, Placement.Kind placement, Mode mode, Policy policy) {
    int minThreshold = (int) in.integer(MIN_THRESHOLD, 4, 2, Integer.MAX_VALUE);
    double bucketLow = in.decimal(BUCKET_LOW, 0.5, 0, 1);
    long slowReadCostBytes = in.bytes(SLOW_READ_COST, "the default 256KiB").orElse(256L << 10);
    // Where rows go elsewhere than heat says, rewriting an SSTable for its hot rows is in vain.
    boolean mayRewrite = placement == Placement.Kind.HEAT && policy != Policy.STAY;
    return new PickerOptions(
        minThreshold,
        (int) in.integer(HOT_MIN_THRESHOLD, 0, 2, Integer.MAX_VALUE),
        (int)
            in.integer(MAX_THRESHOLD, Math.max(minThreshold, 32), minThreshold, Integer.MAX_VALUE),
        bucketLow,
        in.decimal(BUCKET_HIGH, 1.5, Math.max(1, bucketLow), 100),
        in.integer(MIN_SSTABLE_SIZE, 50L << 20, 0, Long.MAX_VALUE),
        slowReadCostBytes,
        in.decimal(SLOW_WRITE_PRICE, 1, 0, 1_000_000),
        mayRewrite,
        true,
        !copies(promotion, placement),
        mode == Mode.CACHE);
  }

  static Map<String, String> withoutOurs(Map<String, String> options) {
    Map<String, String> rest = new HashMap<>(options);
    rest.keySet().removeAll(NAMES);
    return rest;
  }

  /**
   * Whether rows are sorted by heat even where there is one disk only: the budget is then empty.
   */
  boolean sortsWithoutFastDisk() {
    return placement == Placement.Kind.HEAT && policy != Policy.BUDGET;
  }

  /** Only heat knows which rows belong on fast. */
  boolean copiesRows() {
    return copies(promotion, placement);
  }

  private static boolean copies(Promotion promotion, Placement.Kind placement) {
    return promotion == Promotion.COPY && placement == Placement.Kind.HEAT;
  }

  /**
   * The policy that these options ask for.
   *
   * @param budgetBytes bytes of hot rows that the fast disk may hold now
   * @param rowBytes size of a row where heat has not seen any
   * @param listed the policy of a list of keys, by its name
   * @param waits what {@code heat_share: auto} goes by
   */
  HeatPolicy makePolicy(
      LongSupplier budgetBytes,
      LongSupplier rowBytes,
      Function<String, HeatPolicy> listed,
      Supplier<MeasuredShare.Waits> waits) {
    return switch (policy) {
      case BUDGET -> new BudgetPolicy(budgetBytes, KEEP_FACTOR, rowBytes);
      case LISTED -> listed.apply(list.orElseThrow());
      case STAY -> new UnknownPolicy();
      case SHARE ->
          share.isPresent()
              ? new SharePolicy(share.getAsDouble())
              : new SharePolicy(new MeasuredShare(waits));
      case WINDOW -> new WindowPolicy(minAccesses);
    };
  }

  /**
   * @param strict whether bad values are refused; else they are passed over for the default
   */
  private record Reader(Map<String, String> options, boolean strict) {

    <E extends Enum<E>> E choice(String name, Set<E> choices, E otherwise) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String wanted = value.trim().toLowerCase(Locale.ROOT).replace('_', '-');
      for (E candidate : choices) {
        if (label(candidate).equals(wanted)) {
          return candidate;
        }
      }
      refuse(
          name,
          value,
          "one of " + choices.stream().map(Reader::label).collect(Collectors.joining(", ")),
          "the default " + label(otherwise));
      return otherwise;
    }

    private static String label(Enum<?> value) {
      return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    OptionalDouble share(String name) {
      if (options.getOrDefault(name, "").trim().equalsIgnoreCase(AUTO)) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(decimal(name, 0.5, 0, 1, ", or " + AUTO, "the default 0.5"));
    }

    OptionalDouble fill() {
      double fill = decimal(FAST_FILL, 0, 0.05, 0.85, "", "what suits the quota");
      return fill > 0 ? OptionalDouble.of(fill) : OptionalDouble.empty();
    }

    long integer(String name, long otherwise, long least, long most) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String bound = "a whole number from " + least + " to " + most;
      String wayOut = otherwise == 0 ? "the default" : "the default " + otherwise;
      try {
        long number = Long.parseLong(value.trim());
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        refuse(name, value, bound, wayOut);
      }
      refuse(name, value, bound, wayOut);
      return otherwise;
    }

    double decimal(String name, double otherwise, double least, double most) {
      return decimal(name, otherwise, least, most, "", "the default " + otherwise);
    }

    private double decimal(
        String name, double otherwise, double least, double most, String orElse, String wayOut) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String bound = "a number from " + least + " to " + most + orElse;
      try {
        double number = Double.parseDouble(value.trim());
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        refuse(name, value, bound, wayOut);
      }
      refuse(name, value, bound, wayOut);
      return otherwise;
    }

    long millis(String name, long otherwise, long least, long most) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String bound = "a duration from " + least + "ms to " + most + "ms, such as 10s or 5m";
      String wayOut = "the default " + otherwise / 1000 + "s";
      try {
        long millis = new DurationSpec.LongMillisecondsBound(value.trim()).toMilliseconds();
        if (millis >= least && millis <= most) {
          return millis;
        }
      } catch (ConfigurationException | IllegalArgumentException e) {
        refuse(name, value, bound, wayOut);
      }
      refuse(name, value, bound, wayOut);
      return otherwise;
    }

    Optional<String> list(boolean needed) {
      String value = options.getOrDefault(LIST, "");
      if (KeyList.NAME.matcher(value).matches()) {
        return Optional.of(value);
      }
      if (needed || !value.isEmpty()) {
        refuse(LIST, value, LIST_NAME, "no list, with another heat_policy");
      }
      return Optional.empty();
    }

    OptionalLong bytes(String name, String wayOut) {
      String value = options.get(name);
      if (value == null) {
        return OptionalLong.empty();
      }
      try {
        return OptionalLong.of(NodeConfig.parseBytes(value.trim()));
      } catch (ConfigurationException | IllegalArgumentException e) {
        refuse(name, value, "a size of at least 0 with a unit, such as 512MiB or 200GiB", wayOut);
        return OptionalLong.empty();
      }
    }

    private void refuse(String name, String value, String bound, String otherwise) {
      if (strict) {
        throw new ConfigurationException(
            Refusal.of(
                "compaction option " + name,
                value,
                bound,
                "correct it, or leave it out for " + otherwise));
      }
    }
  }
}
