/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.inprocess;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.commitlog.CommitLog;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.awaitility.Awaitility;

/**
 * Cassandra's own classes in the JVM of the tests: tables, memtables, flushes, SSTables and CQL on
 * this node's data, without network, gossip and a client's port. Kasane's storage hook is on. It is
 * started once a JVM and never ends: tests tell their tables apart by names.
 */
public final class InProcessCassandra {
  private static final String KEYSPACE = "inprocess";
  private static final Path ROOT =
      Path.of("target", System.getProperty("kasane.in-process", "in-process")).toAbsolutePath();
  private static final AtomicInteger TABLES = new AtomicInteger();

  /** For what Cassandra does in the background, on a machine that is busy with other tests. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static InProcessCassandra instance;

  private InProcessCassandra() {}

  /** What two data directories stand for. */
  public enum Disk {
    SLOW,
    FAST;

    /** Returns the data directory. */
    public Path directory() {
      return ROOT.resolve(name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * Starts it, if no test has.
   *
   * @param cassandraYaml lines besides those that every test needs
   * @param kasaneYaml all lines
   */
  public static synchronized InProcessCassandra start(
      List<String> cassandraYaml, List<String> kasaneYaml) {
    if (instance == null) {
      try {
        write(cassandraYaml, kasaneYaml);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      startAll();
      Awaitility.setDefaultTimeout(PATIENCE);
      instance = new InProcessCassandra();
    }
    return instance;
  }

  private static void write(List<String> cassandraYaml, List<String> kasaneYaml)
      throws IOException {
    delete(ROOT);
    Files.createDirectories(Disk.SLOW.directory());
    Files.createDirectories(Disk.FAST.directory());
    Path cassandra = ROOT.resolve("cassandra.yaml");
    Path kasane = ROOT.resolve("kasane.yaml");
    List<String> lines =
        new ArrayList<>(
            List.of(
                "cluster_name: inprocess",
                "partitioner: org.apache.cassandra.dht.Murmur3Partitioner",
                "num_tokens: 1",
                "initial_token: 0",
                "endpoint_snitch: SimpleSnitch",
                "listen_address: 127.0.0.1",
                "seed_provider:",
                "  - class_name: org.apache.cassandra.locator.SimpleSeedProvider",
                "    parameters: [{seeds: 127.0.0.1}]",
                "data_file_directories: [%s, %s]"
                    .formatted(Disk.SLOW.directory(), Disk.FAST.directory()),
                "commitlog_directory: " + ROOT.resolve("commitlog"),
                "hints_directory: " + ROOT.resolve("hints"),
                "saved_caches_directory: " + ROOT.resolve("saved_caches"),
                "cdc_raw_directory: " + ROOT.resolve("cdc_raw"),
                "commitlog_sync: periodic",
                "commitlog_sync_period: 10000ms",
                "commitlog_segment_size: 5MiB",
                "disk_failure_policy: ignore",
                "commit_failure_policy: ignore",
                "materialized_views_enabled: true",
                "auto_snapshot: false"));
    lines.addAll(cassandraYaml);
    Files.write(cassandra, lines);
    Files.write(kasane, kasaneYaml);
    System.setProperty("cassandra.config", cassandra.toUri().toString());
    System.setProperty("cassandra.storagedir", ROOT.toString());
    System.setProperty("kasane.config", kasane.toString());
    System.setProperty("cassandra.storage_hook", "io.kasane.host.KasaneStorageHook");
    System.setProperty("cassandra.test.flush_local_schema_changes", "false");
  }

  private static void startAll() {
    DatabaseDescriptor.daemonInitialization();
    DatabaseDescriptor.createAllDirectories();
    CommitLog.instance.start();
    Keyspace.setInitialized();
    SystemKeyspace.persistLocalMetadata();
    Token token = new LongToken(0);
    StorageService.instance
        .getTokenMetadata()
        .updateNormalTokens(Set.of(token), FBUtilities.getBroadcastAddressAndPort());
    cql(
        "CREATE KEYSPACE "
            + KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  /** Runs a CQL statement on this node alone. */
  public static UntypedResultSet cql(String statement, Object... values) {
    return QueryProcessor.executeOnceInternal(statement, values);
  }

  /** Makes an index and waits until it answers: Cassandra builds it in the background. */
  public static void createIndex(String table, String column) {
    cql("CREATE INDEX ON " + table + " (" + column + ")");
    SecondaryIndexManager indexes = table(table).indexManager;
    Awaitility.await()
        .until(() -> indexes.listIndexes().stream().allMatch(indexes::isIndexQueryable));
  }

  /** Returns a table's name that no test has used, its keyspace before it. */
  public static String newName() {
    return KEYSPACE + ".t" + TABLES.incrementAndGet();
  }

  /** Returns the table of that name, its keyspace before it. */
  public static ColumnFamilyStore table(String name) {
    String[] words = name.split("\\.", 2);
    return Keyspace.open(words[0]).getColumnFamilyStore(words[1]);
  }

  /** Switches the memtable and returns when it is flushed. */
  public static void flush(ColumnFamilyStore table) {
    table.forceBlockingFlush(ColumnFamilyStore.FlushReason.UNIT_TESTS);
  }

  /** Returns the live SSTables that lie on a disk. */
  public static List<SSTableReader> sstables(ColumnFamilyStore table, Disk disk) {
    return table.getLiveSSTables().stream()
        .filter(sstable -> sstable.descriptor.directory.toPath().startsWith(disk.directory()))
        .toList();
  }

  private static void delete(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
