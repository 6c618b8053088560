/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.heat.HeatPolicy;
import io.kasane.heat.HeatTrackerOptions;
import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.policy.ListedPolicy;
import io.kasane.heat.policy.SharePolicy;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.host.NodeConfig;
import io.kasane.tier.pick.PickerOptions;
import io.kasane.tier.place.Placement;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * The options of {@link HeatTieredCompactionStrategy} in a table's {@code compaction} map, read
 * once and checked here only. README.md lists them for users.
 *
 * @param policy which keys are hot
 * @param counts which accesses make a key hot
 * @param minAccesses of the window policy
 * @param share of the share policy; absent = by how many reads miss memory
 * @param list file of the listed policy
 * @param tracker memory and period of the access tracker
 * @param placement where rows go
 * @param mode whether the fast disk holds rows or copies of rows
 * @param fastQuotaBytes this table's part of the fast disk; absent = what the node's quota allows
 * @param fastFill share of the quota that the budget policy fills with hot rows; the rest is room
 *     for compaction to work in; absent = as {@link FastShards} allow
 * @param promotion how rows that became hot on slow come to fast
 * @param promotionRowsPerSecond most rows a second that are copied
 * @param promotionBytesPerSecond most bytes a second that are copied
 * @param picker numbers of the picker
 */
public record TierOptions(
    Policy policy,
    Counts counts,
    int minAccesses,
    OptionalDouble share,
    Optional<Path> list,
    HeatTrackerOptions tracker,
    Placement.Kind placement,
    Mode mode,
    OptionalLong fastQuotaBytes,
    OptionalDouble fastFill,
    Promotion promotion,
    long promotionRowsPerSecond,
    long promotionBytesPerSecond,
    PickerOptions picker) {

  /** Which keys are hot; DESIGN of each in {@code io.kasane.heat.policy}. */
  public enum Policy {
    BUDGET,
    LISTED,
    SHARE,
    WINDOW
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
  static final String MIN_THRESHOLD = "min_threshold";
  static final String MAX_THRESHOLD = "max_threshold";
  static final String BUCKET_LOW = "bucket_low";
  static final String BUCKET_HIGH = "bucket_high";
  static final String MIN_SSTABLE_SIZE = "min_sstable_size";

  private static final String AUTO = "auto";

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
          MIN_THRESHOLD,
          MAX_THRESHOLD,
          BUCKET_LOW,
          BUCKET_HIGH,
          MIN_SSTABLE_SIZE);

  /** Hot rows and those that stay where they are fill at most this times the budget. */
  static final double KEEP_FACTOR = 1.05;

  /**
   * Reads the options.
   *
   * @throws ConfigurationException naming the option, the value seen and the bound
   */
  public static TierOptions parse(Map<String, String> options) {
    Reader in = new Reader(options);
    Policy policy = in.choice(POLICY, Policy.class, Policy.BUDGET);
    Promotion promotion = in.choice(PROMOTION, Promotion.class, Promotion.COPY);
    Placement.Kind placement = in.choice(PLACEMENT, Placement.Kind.class, Placement.Kind.HEAT);
    Mode mode = mode(in, copies(promotion, placement));
    return new TierOptions(
        policy,
        in.choice(COUNTS, Counts.class, Counts.READS),
        (int) in.integer(MIN_ACCESSES, 1, 1, Short.MAX_VALUE),
        in.share(SHARE),
        in.file(LIST, policy == Policy.LISTED),
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
        in.bytes(FAST_QUOTA),
        in.fill(),
        promotion,
        in.integer(PROMOTION_ROWS, 5_000, 1, Integer.MAX_VALUE),
        Math.max(1, in.bytes(PROMOTION_BYTES).orElse(16L << 20)),
        picker(in, promotion, placement, mode));
  }

  /**
   * Reads must know which rows lie on both disks, which is what promotion by copy keeps track of.
   */
  private static Mode mode(Reader in, boolean copiesRows) {
    Mode mode = in.choice(MODE, Mode.class, Mode.TIER);
    if (mode == Mode.CACHE && !copiesRows) {
      throw new ConfigurationException(
          "compaction option "
              + MODE
              + " is 'cache', which needs promotion 'copy' and placement 'heat': leave these two"
              + " out, or set tier_mode to 'tier'");
    }
    return mode;
  }

  private static PickerOptions picker(
      Reader in, Promotion promotion, Placement.Kind placement, Mode mode) {
    int minThreshold = (int) in.integer(MIN_THRESHOLD, 4, 2, Integer.MAX_VALUE);
    double bucketLow = in.decimal(BUCKET_LOW, 0.5, 0, 1);
    long slowReadCostBytes = in.bytes(SLOW_READ_COST).orElse(256L << 10);
    // Where rows go elsewhere than heat says, rewriting an SSTable for its hot rows is in vain.
    boolean mayRewrite = placement == Placement.Kind.HEAT;
    return new PickerOptions(
        minThreshold,
        (int) in.integer(HOT_MIN_THRESHOLD, 0, 2, Integer.MAX_VALUE),
        (int) in.integer(MAX_THRESHOLD, 32, minThreshold, Integer.MAX_VALUE),
        bucketLow,
        in.decimal(BUCKET_HIGH, 1.5, Math.max(1, bucketLow), 100),
        in.integer(MIN_SSTABLE_SIZE, 50L << 20, 0, Long.MAX_VALUE),
        mayRewrite ? slowReadCostBytes : 0,
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
   * @param partitioner hashes the keys of a list
   * @param waits what {@code heat_share: auto} goes by
   * @throws UncheckedIOException if the list cannot be read
   */
  HeatPolicy makePolicy(
      LongSupplier budgetBytes,
      LongSupplier rowBytes,
      IPartitioner partitioner,
      Supplier<MeasuredShare.Waits> waits) {
    return switch (policy) {
      case BUDGET -> new BudgetPolicy(budgetBytes, KEEP_FACTOR, rowBytes);
      case LISTED -> new ListedPolicy(KeyList.read(list.orElseThrow(), partitioner));
      case SHARE ->
          share.isPresent()
              ? new SharePolicy(share.getAsDouble())
              : new SharePolicy(new MeasuredShare(waits));
      case WINDOW -> new WindowPolicy(minAccesses);
    };
  }

  private record Reader(Map<String, String> options) {

    <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String wanted = value.trim().toLowerCase(Locale.ROOT).replace('_', '-');
      for (E candidate : type.getEnumConstants()) {
        if (label(candidate).equals(wanted)) {
          return candidate;
        }
      }
      throw bad(
          name,
          value,
          "one of "
              + Arrays.stream(type.getEnumConstants())
                  .map(Reader::label)
                  .collect(Collectors.joining(", ")));
    }

    private static String label(Enum<?> value) {
      return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    OptionalDouble share(String name) {
      if (options.getOrDefault(name, "").trim().equalsIgnoreCase(AUTO)) {
        return OptionalDouble.empty();
      }
      return OptionalDouble.of(decimal(name, 0.5, 0, 1, ", or " + AUTO));
    }

    OptionalDouble fill() {
      return options.containsKey(FAST_FILL)
          ? OptionalDouble.of(decimal(FAST_FILL, 0, 0.05, 0.85))
          : OptionalDouble.empty();
    }

    long integer(String name, long otherwise, long least, long most) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String bound = "a whole number from " + least + " to " + most;
      try {
        long number = Long.parseLong(value.trim());
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw bad(name, value, bound);
      }
      throw bad(name, value, bound);
    }

    double decimal(String name, double otherwise, double least, double most) {
      return decimal(name, otherwise, least, most, "");
    }

    private double decimal(
        String name, double otherwise, double least, double most, String orElse) {
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
        throw bad(name, value, bound);
      }
      throw bad(name, value, bound);
    }

    long millis(String name, long otherwise, long least, long most) {
      String value = options.get(name);
      if (value == null) {
        return otherwise;
      }
      String bound = "a duration from " + least + "ms to " + most + "ms, such as 10s or 5m";
      try {
        long millis = new DurationSpec.LongMillisecondsBound(value.trim()).toMilliseconds();
        if (millis >= least && millis <= most) {
          return millis;
        }
      } catch (ConfigurationException | IllegalArgumentException e) {
        throw bad(name, value, bound);
      }
      throw bad(name, value, bound);
    }

    Optional<Path> file(String name, boolean needed) {
      String value = options.getOrDefault(name, "");
      if (value.startsWith("/") && value.indexOf('\0') < 0) {
        return Optional.of(Path.of(value));
      }
      if (needed || !value.isEmpty()) {
        throw bad(
            name,
            value,
            "the absolute path of a file with one partition key in hexadecimal a line");
      }
      return Optional.empty();
    }

    OptionalLong bytes(String name) {
      String value = options.get(name);
      if (value == null) {
        return OptionalLong.empty();
      }
      try {
        return OptionalLong.of(NodeConfig.parseBytes(value.trim()));
      } catch (ConfigurationException | IllegalArgumentException e) {
        throw bad(name, value, "a size of at least 0 with a unit, such as 512MiB or 200GiB");
      }
    }

    private static ConfigurationException bad(String name, String value, String bound) {
      return new ConfigurationException(
          "compaction option " + name + " is '" + value + "' but must be " + bound);
    }
  }
}
