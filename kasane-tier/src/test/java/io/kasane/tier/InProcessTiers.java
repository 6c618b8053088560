/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.host.inprocess.InProcessCassandra;
import io.kasane.host.inprocess.InProcessCassandra.Disk;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.table.TieredTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.CompactionParams;
import org.awaitility.Awaitility;

/**
 * Tables of {@link InProcessCassandra} with heat tiers, whose hot rows are those that a test names:
 * partition keys are ints. Nothing is compacted or copied unless a test asks for it.
 */
public final class InProcessTiers {
  /**
   * What fast may hold of all tables together: so much that small tables may go there as a whole.
   */
  private static final String NODE_QUOTA = "4GiB";

  /** The options of a table that has others than these by name only. */
  private static final Map<String, String> USUAL =
      Map.of("heat_policy", ChosenKeys.NAME, "fast_quota", "256MiB");

  private static final String CLASS = HeatTieredCompactionStrategy.class.getName();

  /** Seconds since 1970 that nothing was deleted before. */
  public static final long PURGE_NOTHING = 0;

  /** Seconds since 1970 that all was deleted before. */
  public static final long PURGE_ALL = Integer.MAX_VALUE;

  private InProcessTiers() {}

  /** Starts Cassandra, if no test has. */
  public static void start() {
    InProcessCassandra.start(
        List.of(),
        List.of(
            "fast_directories: [" + Disk.FAST.directory() + "]",
            "fast_quota: " + NODE_QUOTA,
            "show_keys: true"));
  }

  /**
   * Makes a table {@code (k int, c int, v text)}.
   *
   * @param options besides which keys are hot
   */
  public static Table table(Map<String, String> options, int... hotKeys) {
    return new Table(options, hotKeys);
  }

  /** A table and what tests ask of it. */
  public static final class Table {
    private final String name;

    private Table(Map<String, String> options, int... hotKeys) {
      this.name = InProcessCassandra.newName();
      Map<String, String> all = new TreeMap<>(USUAL);
      all.putAll(options);
      if (all.get("heat_policy").equals(ChosenKeys.NAME)) {
        all.put(ChosenKeys.KEYS, text(hotKeys));
      }
      InProcessCassandra.cql(
          "CREATE TABLE "
              + name
              + " (k int, c int, v text, PRIMARY KEY (k, c)) WITH gc_grace_seconds = 0"
              + " AND compression = {'enabled': 'false'} AND compaction = "
              + map(all));
      cfs().disableAutoCompaction();
      tiers().refreshHotSet();
    }

    private static String text(int... keys) {
      return IntStream.of(keys).mapToObj(Integer::toString).collect(Collectors.joining(" "));
    }

    private static String map(Map<String, String> options) {
      return "{'class': '"
          + CLASS
          + "', "
          + options.entrySet().stream()
              .map(each -> "'" + each.getKey() + "': '" + each.getValue() + "'")
              .collect(Collectors.joining(", "))
          + "}";
    }

    public String name() {
      return name;
    }

    public ColumnFamilyStore cfs() {
      return InProcessCassandra.table(name);
    }

    /** Returns what Kasane knows of it. */
    public TieredTable tiers() {
      CompactionParams params = cfs().metadata().params.compaction;
      return TierRegistry.attach(cfs(), TierOptions.parse(params.options())).orElseThrow();
    }

    /** Other rows are hot from now on. */
    public void alter(Map<String, String> options, int... hotKeys) {
      Map<String, String> all = new TreeMap<>(USUAL);
      all.putAll(options);
      all.put(ChosenKeys.KEYS, text(hotKeys));
      InProcessCassandra.cql("ALTER TABLE " + name + " WITH compaction = " + map(all));
      cfs().disableAutoCompaction();
      tiers().refreshHotSet();
    }

    public void insert(int k, int c, String v) {
      InProcessCassandra.cql("INSERT INTO " + name + " (k, c, v) VALUES (?, ?, ?)", k, c, v);
    }

    /** Writes partitions {@code from} to {@code to - 1}, a row each, and flushes them. */
    public void flush(int from, int to, String v) {
      for (int k = from; k < to; k++) {
        insert(k, 1, v + k);
      }
      InProcessCassandra.flush(cfs());
    }

    /** Returns the rows of a partition as a read sees them. */
    public List<String> read(int k) {
      List<String> rows = new ArrayList<>();
      InProcessCassandra.cql("SELECT c, v FROM " + name + " WHERE k = ?", k)
          .forEach(row -> rows.add(row.getInt("c") + "=" + row.getString("v")));
      return rows;
    }

    /** Lets rows that reads find on slow be copied to fast, by Kasane's own threads. */
    public void copy() {
      cfs().enableAutoCompaction();
    }

    /** Returns how many rows a read of all sees. */
    public int count() {
      return InProcessCassandra.cql("SELECT k FROM " + name).size();
    }

    public List<SSTableReader> sstables(Disk disk) {
      return InProcessCassandra.sstables(cfs(), disk);
    }

    /** Returns the partition keys that SSTables hold there, in the order of the files. */
    public List<Integer> keys(Disk disk) {
      return sstables(disk).stream().flatMap(sstable -> keys(sstable).stream()).toList();
    }

    /** Returns the partition keys of an SSTable, in its order. */
    public static List<Integer> keys(SSTableReader sstable) {
      List<Integer> keys = new ArrayList<>();
      try (ISSTableScanner scanner = sstable.getScanner()) {
        while (scanner.hasNext()) {
          try (var partition = scanner.next()) {
            keys.add(partition.partitionKey().getKey().getInt(0));
          }
        }
      }
      return keys;
    }

    /** Returns all files of the table there, but logs of transactions. */
    public List<Path> files(Disk disk) {
      List<Path> found = new ArrayList<>();
      for (File directory : cfs().getDirectories().getCFDirectories()) {
        if (directory.toPath().startsWith(disk.directory())) {
          try (Stream<Path> files = Files.list(directory.toPath())) {
            files
                .filter(Files::isRegularFile)
                .filter(file -> !file.toString().endsWith(".log"))
                .sorted()
                .forEach(found::add);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
      return found;
    }

    /**
     * Waits until what the table has in use on the fast disk is what its files there have: what
     * writers had reserved counts until the next look at the disk.
     *
     * @return bytes
     */
    public long fastFileBytes() {
      Awaitility.await().until(() -> tiers().fast().usedBytes() == bytes(files(Disk.FAST)));
      return bytes(files(Disk.FAST));
    }

    private static long bytes(List<Path> files) {
      return files.stream().mapToLong(file -> file.toFile().length()).sum();
    }

    private Stream<HeatTieredCompactionStrategy> strategies() {
      return cfs().getCompactionStrategyManager().getStrategies().stream()
          .flatMap(Collection::stream)
          .map(HeatTieredCompactionStrategy.class::cast);
    }

    /** Compacts all SSTables, as an operator asks for. */
    public void compactAll(long gcBefore) {
      strategies()
          .map(strategy -> strategy.getMaximalTask(gcBefore, false))
          .filter(Objects::nonNull)
          .flatMap(Collection::stream)
          .forEach(task -> task.execute(ActiveCompactionsTracker.NOOP));
    }

    /** Compacts these SSTables. */
    public void compact(Collection<SSTableReader> inputs, long gcBefore) {
      task(inputs, gcBefore).execute(ActiveCompactionsTracker.NOOP);
    }

    /** Returns the compaction of these SSTables that a user asks for. */
    public AbstractCompactionTask task(Collection<SSTableReader> inputs, long gcBefore) {
      HeatTieredCompactionStrategy strategy =
          strategies()
              .filter(each -> each.getSSTables().containsAll(inputs))
              .findFirst()
              .orElseThrow();
      return strategy.getUserDefinedTask(inputs, gcBefore);
    }

    /** Runs what the strategy picks by itself; returns whether there was anything. */
    public boolean compactNext(long gcBefore) {
      List<AbstractCompactionTask> next =
          strategies()
              .map(strategy -> strategy.getNextBackgroundTask(gcBefore))
              .filter(Objects::nonNull)
              .toList();
      next.forEach(task -> task.execute(ActiveCompactionsTracker.NOOP));
      return !next.isEmpty();
    }
  }
}
