/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A way to run a node.
 *
 * @param name in reports
 * @param kasane whether Kasane's jars and hook are loaded; without them the node is stock Cassandra
 * @param disks which disks its data directories lie on
 * @param ahead the truly hottest rows that lie on fast before the load begins
 * @param flushes whether memtables are written to disk in the course of a trial
 * @param compaction the table's compaction options
 */
public record Contestant(
    String name,
    boolean kasane,
    Set<DiskRole> disks,
    Ahead ahead,
    boolean flushes,
    Map<String, String> compaction) {
  /**
   * Rows placed in advance.
   *
   * @param shareOfFast how much of a fast disk of the trial's size the rows would fill, 0 to 1; 0 =
   *     none are placed
   * @param fastDisks how many times the trial's size the fast disk has
   */
  public record Ahead(double shareOfFast, int fastDisks) {
    /** Nothing is placed, and the fast disk has the trial's size. */
    public static final Ahead NOTHING = new Ahead(0, 1);

    boolean isNothing() {
      return shareOfFast == 0;
    }
  }

  /** Kasane's default on a disk of 8 to 64 MiB: 0.75 of what is left beside 5 % that stay free. */
  private static final double FILLED = 0.71;

  private static final String STRATEGY = "io.kasane.tier.HeatTieredCompactionStrategy";
  private static final Set<DiskRole> BOTH = Set.of(DiskRole.SLOW, DiskRole.FAST);
  private static final Set<DiskRole> SLOW_ALONE = Set.of(DiskRole.SLOW);
  private static final Map<String, String> SIZE_TIERED =
      Map.of("class", "SizeTieredCompactionStrategy");

  /** As many SSTables as 160 MB, the default, make of the 25 GB that the paper's table has. */
  private static final double SSTABLE_SHARE = 160e6 / 25e9;

  /** Stock Cassandra with both disks as data directories. */
  public static final Contestant STOCK =
      new Contestant("stock", false, BOTH, Ahead.NOTHING, true, SIZE_TIERED);

  /** Stock Cassandra with everything on the slow disk: the floor. */
  public static final Contestant ALL_SLOW =
      new Contestant("all-slow", false, SLOW_ALONE, Ahead.NOTHING, true, SIZE_TIERED);

  /** Stock Cassandra with a fast disk that holds everything: the ceiling. */
  public static final Contestant ALL_FAST =
      new Contestant("all-fast", false, Set.of(DiskRole.FAST), Ahead.NOTHING, true, SIZE_TIERED);

  /** Any row may go to any disk, more to the one with more free space: Cassandra 2.2's rule. */
  public static final Contestant FREE_SPACE =
      kasane("free-space", "placement", "free-space", "slow_read_cost", "0");

  /** Any row goes to fast while there is room. */
  public static final Contestant FAST_FIRST =
      kasane("fast-first", "placement", "fast-first", "slow_read_cost", "0");

  /**
   * The tiering of Kamoshita, Kawashima and Matsuo as they published it: hot is what was read in
   * the last 10 s, and rows move when compaction comes by.
   */
  public static final Contestant PUBLISHED =
      kasane(
          "published",
          "heat_policy",
          "window",
          "heat_period",
          "10s",
          "promotion",
          "rewrite",
          "slow_read_cost",
          "0");

  /** Rows by heat, with the options that a user gets. */
  public static final Contestant HEAT = kasane("heat");

  /** The same, where the slow disk keeps all rows. */
  public static final Contestant CACHE = kasane("cache", "tier_mode", "cache");

  /** Kasane on a node without a fast disk: what its compaction alone brings. */
  public static final Contestant ONE_DISK =
      new Contestant("one-disk", true, SLOW_ALONE, Ahead.NOTHING, true, options("class", STRATEGY));

  /**
   * Stock Cassandra as one who knows it would tune it: leveled and unified compaction, the latter
   * from many SSTables to few, on the slow disk alone. On a small disk a strategy may find no room.
   *
   * @param dataBytes what the rows take, which sizes of SSTables follow
   */
  public static List<Contestant> tunedStock(long dataBytes) {
    long sstableBytes = (long) (SSTABLE_SHARE * dataBytes);
    List<Contestant> all = new ArrayList<>();
    all.add(
        tuned(
            "leveled",
            "class",
            "LeveledCompactionStrategy",
            "sstable_size_in_mb",
            Long.toString(Math.max(1, Math.round(sstableBytes / 1e6)))));
    for (String scaling : List.of("T4", "N", "L4", "L10")) {
      all.add(
          tuned(
              "unified-" + scaling,
              "class",
              "UnifiedCompactionStrategy",
              "scaling_parameters",
              scaling,
              "base_shard_count",
              "1",
              "target_sstable_size",
              Math.max(1, Math.round(4 * sstableBytes / 1e6)) + "MiB"));
    }
    return all;
  }

  private static Contestant tuned(String name, String... options) {
    return new Contestant(name, false, SLOW_ALONE, Ahead.NOTHING, true, options(options));
  }

  private static Contestant kasane(String name, String... options) {
    Map<String, String> compaction = options("class", STRATEGY);
    compaction.putAll(options(options));
    return new Contestant(name, true, BOTH, Ahead.NOTHING, true, compaction);
  }

  private static Map<String, String> options(String... namesAndValues) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return options;
  }

  /**
   * The truly hottest rows are on fast when the load begins, and no row moves: a ceiling. They fill
   * the trial's share; updates of them and compaction have room beside it.
   */
  public static final Contestant ORACLE =
      new Contestant("oracle", true, BOTH, new Ahead(1, 4), true, Map.of());

  /** The same on the disk that all have, filled as far as Kasane fills it. */
  public static final Contestant ORACLE_SAME_DISK =
      new Contestant("oracle-same-disk", true, BOTH, new Ahead(FILLED, 1), true, Map.of());

  /** The perfect placement of the keys in a file of the nodes' {@code key_lists_directory}. */
  Contestant placing(String keyList) {
    Map<String, String> options =
        new LinkedHashMap<>(kasane("", "heat_policy", "listed", "heat_list", keyList).compaction);
    options.putAll(compaction);
    return new Contestant(name, true, BOTH, ahead, true, options);
  }

  /** The same with another compaction option. */
  public Contestant with(String option, String value) {
    Map<String, String> options = new LinkedHashMap<>(compaction);
    options.put(option, value);
    return new Contestant(name, kasane, disks, ahead, flushes, options);
  }

  /** Returns the statement that gives the table its compaction. */
  public String alterTable(String table) {
    return "ALTER TABLE "
        + table
        + " WITH compaction = "
        + compaction.entrySet().stream()
            .map(entry -> "'" + entry.getKey() + "': '" + entry.getValue() + "'")
            .collect(Collectors.joining(", ", "{", "}"));
  }
}
