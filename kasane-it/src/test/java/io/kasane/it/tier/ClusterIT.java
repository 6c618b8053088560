/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.cleanup;
import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.node.ByteSize;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring of nodes with Kasane: replicas agree whatever disk their rows lie on. What operators do
 * with their tables, in both modes, is done beside a node of stock Cassandra that was told the
 * same: scans, snapshots, sstableloader, repair, bootstrap, restore.
 *
 * <p>{@code -Dkasane.seed=N} replays the writes of a run. With {@code -Dkasane.twin.known=10000000}
 * each table knows the heat of so many other rows.
 */
@Tag("node")
@Tag("campaign")
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
  private static final long SEED = TestRun.seed();
  private static final List<String> TABLES = List.of("cache", "tier");
  private static final int WRITES = 300;
  private static final int ROUNDS = TestRun.size("kasane.twin.rounds", 2, 5);

  private static final int KNOWN = Integer.getInteger("kasane.twin.known", 0);

  /** Whether what is known of heat, and of what reads may leave out, overflows all the time. */
  private static final boolean IS_FULL =
      KNOWN == 0
          && Boolean.parseBoolean(
              System.getProperty("kasane.twin.full", Boolean.toString(SEED % 2 == 0)));

  private static final String NODETOOL = "org.apache.cassandra.tools.NodeTool";
  private static final String LOADER = "org.apache.cassandra.tools.BulkLoader";

  private static final int ROWS = 300;
  private static final int HOT = 30;
  private static final String INCONSISTENT =
      "org.apache.cassandra.metrics:type=Table,keyspace=k,scope=compared,name=";

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private LocalNode first;
  private LocalNode second;
  private LocalNode third;
  private LocalNode stock;
  private CqlSession session;
  private CqlSession twin;
  private TwinTables tables;
  private TieredRows rows;

  /** Of the first two nodes, and what the twin had then. */
  private Map<String, List<Path>> snapshots;

  private List<String> then;

  @BeforeAll
  void start() throws IOException {
    cluster =
        Tiered.nodes(
            4,
            dir,
            settings ->
                settings
                    .heap("512m")
                    .fastQuota(ByteSize.parse("16MiB"))
                    .yaml("hints_flush_period", "1s")
                    .jvmFlag("-Dcassandra.enable_nodelocal_queries=true")
                    .jvmFlag("-Dkasane.left_out_bytes=" + (IS_FULL ? 100 : 1 << 20)));
    Object seeds = Tiered.seeds(cluster, 1, 2);
    first = cluster.node(1).with(settings -> settings.yaml("seed_provider", seeds));
    second = cluster.node(2).with(settings -> settings.yaml("seed_provider", seeds));
    third = Tiered.joining(cluster, 3, 1, 2);
    stock =
        cluster
            .node(4)
            .with(
                settings ->
                    settings
                        .withKasane(false)
                        .yaml("cluster_name", "twin")
                        .yaml("seed_provider", Tiered.seeds(cluster, 4)));
    stock.start();
    first.start().waitUntilReady();
    second.start().waitUntilReady();
    stock.waitUntilReady();
    session = first.connect();
    twin = stock.connect();
    Tiered.awaitAllSeeAll(List.of(first, second));
    Tiered.createKeyspace(session, 2);
    Tiered.createKeyspace(twin, 1);
    Tiered.awaitSchema(first);
    for (String table : TABLES) {
      session.execute(
          "CREATE TABLE k.%s %s WITH compaction = %s"
              .formatted(
                  table,
                  TwinTables.columns(),
                  Tiered.strategy(
                      "tier_mode",
                      table,
                      "heat_period",
                      IS_FULL ? "1s" : "1h",
                      "heat_capacity",
                      IS_FULL ? "5" : Integer.toString(Math.max(KNOWN, 1_000_000)))));
    }
    twin.execute("CREATE TABLE k.twin " + TwinTables.columns());
    twin.execute("CREATE TABLE k.loaded " + TwinTables.columns());
    Tiered.awaitSchema(first);
    if (KNOWN > 0) {
      session.close();
      for (LocalNode node : List.of(first, second)) {
        node.stop();
        KnownHeat.save(node, KNOWN);
        node.start().waitUntilReady();
      }
      Tiered.awaitAllSeeAll(List.of(first, second));
      session = first.connect();
    }
    tables = new TwinTables(TABLES, session, twin, SEED);
    rows = new TieredRows(first, session, "rows", Tiered.onRequest());
    rows.at(DefaultConsistencyLevel.QUORUM);
  }

  @AfterAll
  void stop() {
    Stream.of(session, twin).filter(open -> open != null).forEach(CqlSession::close);
    Stream.of(first, second, third, stock).forEach(LocalNode::kill9);
    cluster.close();
  }

  /** The first node compares repaired rows, the second has copies and is not set to. */
  @Test
  @Order(1)
  void shouldLeaveNothingOutOfReadsThatAnotherNodeCompares() throws IOException {
    assumeTrue(!IS_FULL, "what reads may leave out overflows");
    TieredRows compared =
        new TieredRows(first, session, "compared", Tiered.byHeat())
            .at(DefaultConsistencyLevel.ALL)
            .write(0, ROWS);
    Tiered.flush(first, "compared");
    Tiered.flush(second, "compared");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              readOn(second, NodeLocal.INSTANCE, 0, HOT);
              long before = slowReads(second);
              readOn(second, NodeLocal.INSTANCE, 0, HOT);
              assertThat(slowReads(second)).isEqualTo(before);
            });

    // Only the second node gets these updates, so answers differ, and are then compared in full.
    for (int id = 0; id < HOT / 2; id++) {
      on(
          second,
          NodeLocal.INSTANCE,
          "INSERT INTO k.compared (id, version, payload) VALUES (?, ?, ?)",
          id,
          2,
          TieredRows.payload(id, 2));
    }
    track(first, "enable");
    long before = slowReads(second);
    readOn(first, DefaultConsistencyLevel.ALL, 0, HOT / 2);
    assertThat(slowReads(second)).isEqualTo(before + HOT / 2);
    try (NodeJmx jmx = first.jmx()) {
      assertThat(jmx.attribute(INCONSISTENT + "RepairedDataInconsistenciesConfirmed", "Count"))
          .isEqualTo(0L);
    }

    // What was asked for in the same way, but is not compared, is read from fast as before.
    readOn(first, DefaultConsistencyLevel.ALL, HOT / 2, HOT);
    assertThat(slowReads(second)).isEqualTo(before + HOT / 2);
    track(first, "disable");
    session.execute("DROP TABLE " + compared.qualified());
  }

  private static void track(LocalNode node, String whether) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageProxy",
          whether + "RepairedDataTrackingForPartitionReads",
          List.of());
    }
  }

  private ResultSet on(LocalNode node, ConsistencyLevel level, String cql, Object... values) {
    return session.execute(
        SimpleStatement.newInstance(cql, values)
            .setConsistencyLevel(level)
            .setNode(Tiered.coordinator(session, node)));
  }

  private void readOn(LocalNode node, ConsistencyLevel level, int from, int to) {
    for (int id = from; id < to; id++) {
      Row row = on(node, level, "SELECT * FROM k.compared WHERE id = ?", id).one();
      assertThat(row.getString("payload"))
          .as("row %d", id)
          .isEqualTo(TieredRows.payload(id, row.getInt("version")));
    }
  }

  private long slowReads(LocalNode node) {
    return on(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT reads_slow FROM kasane_views.tables"
                + " WHERE keyspace_name = 'k' AND table_name = 'compared'")
        .one()
        .getLong(0);
  }

  /** Flushes, promotions and compactions come between reads and writes. */
  @Test
  @Order(2)
  void shouldAnswerAsStockCassandraDoesAndSaveItForStockCassandra() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      tables.write(WRITES / 3, DefaultConsistencyLevel.ALL);
      tables.read(20);
      for (LocalNode node : List.of(first, second)) {
        Tiered.flush(node, TABLES.toArray(String[]::new));
      }
      tables.read(40);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              tables.read(40);
              for (String table : TABLES) {
                assertThat(Tiered.viewed(session, table, "reads_fast")).as(table).isPositive();
              }
            });
    tables.requireAlike("writes and promotions", DefaultConsistencyLevel.QUORUM);
    snapshots = snapshot();
    then = tables.expected();
    load(snapshots.get("cache " + first), then, "slow alone, in mode cache");
  }

  private static void requireKnown(LocalNode node) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      for (String table : TABLES) {
        Object tracked =
            jmx.attribute(
                "org.apache.cassandra.metrics:type=Kasane,keyspace=k,scope="
                    + table
                    + ",name=TrackedKeys",
                "Value");
        assertThat(((Number) tracked).longValue())
            .as("rows that %s knows of %s", node, table)
            .isGreaterThan((long) (0.9 * KNOWN));
      }
    }
  }

  /** The SSTables of a snapshot, by table and node; of mode cache, those on slow. */
  private Map<String, List<Path>> snapshot() throws IOException {
    Map<String, List<Path>> snapshots = new HashMap<>();
    for (LocalNode node : List.of(first, second)) {
      nodetool(node, "snapshot", "-t", "then", Tiered.KEYSPACE);
      for (String table : TABLES) {
        List<Path> files = new ArrayList<>(snapshotFiles(node, node.settings().slow(), table));
        List<Path> onFast = snapshotFiles(node, node.settings().fast(), table);
        assertThat(onFast).as("fast part of a snapshot of %s", table).isNotEmpty();
        if (table.equals("tier")) {
          files.addAll(onFast);
        }
        snapshots.put(table + " " + node, copied(files));
      }
    }
    return snapshots;
  }

  private static List<Path> snapshotFiles(LocalNode node, Path disk, String table) {
    return new TableFiles(node, table)
        .filesBelow(disk).stream()
            .filter(file -> file.toString().contains("/snapshots/then/"))
            .filter(file -> file.getFileName().toString().startsWith("nb-"))
            .toList();
  }

  /** Where truncation does not reach. */
  private List<Path> copied(List<Path> files) throws IOException {
    Path target = Files.createTempDirectory(Files.createDirectories(dir.resolve("saved")), "s");
    List<Path> copies = new ArrayList<>();
    for (Path file : files) {
      copies.add(Files.copy(file, target.resolve(file.getFileName())));
    }
    return copies;
  }

  /** Stock's own loader puts them into a table of the stock node. */
  private void load(List<Path> sstables, List<String> expected, String what) throws Exception {
    Path source = Files.createDirectories(dir.resolve("load/k/loaded"));
    for (Path file : sstables) {
      Files.copy(file, source.resolve(file.getFileName()));
    }
    List<String> nodetool = stock.nodetoolProcess(List.of()).command();
    List<String> command = new ArrayList<>(nodetool.subList(0, nodetool.indexOf(NODETOOL)));
    command.add(LOADER);
    command.addAll(List.of("-d", stock.settings().address(), source.toString()));
    Process loader = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(loader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(loader.waitFor()).as(out).isZero();
    TwinTables.requireRows(twin, "loaded", expected, what, DefaultConsistencyLevel.ONE);
  }

  @Test
  @Order(3)
  void shouldRepairWhatANodeMissed() {
    second.stop();
    tables.write(WRITES, DefaultConsistencyLevel.ONE);
    Tiered.flush(first, TABLES.toArray(String[]::new));
    requireHintsFor(second);
    nodetool(first, "truncatehints");
    second.start().waitUntilReady();
    Tiered.awaitAllSeeAll(List.of(first, second));
    nodetool(first, "repair", "--full", Tiered.KEYSPACE);
    for (LocalNode node : List.of(first, second)) {
      tables.requireAlikeOn(node, "a repair");
    }
    tables.read(100);
  }

  /** The first node says that another has missed what it was sent. */
  private void requireHintsFor(LocalNode node) {
    SimpleStatement replica =
        SimpleStatement.newInstance(
            "SELECT is_up, hint_bytes, oldest_hint_seconds FROM kasane_views.replicas"
                + " WHERE address = ?",
            node.settings().address() + ":" + node.settings().storagePort());
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              Row seen = session.execute(replica.setNode(Tiered.coordinator(session, first))).one();
              assertThat(seen.getBoolean("is_up")).isFalse();
              assertThat(seen.getLong("hint_bytes")).isPositive();
              assertThat(seen.getLong("oldest_hint_seconds")).isPositive();
            });
  }

  @Test
  @Order(4)
  void shouldStreamToANodeThatJoins() throws IOException {
    rows.write(0, ROWS).read(0, HOT); // a quorum of two is both
    for (LocalNode node : List.of(first, second)) {
      Tiered.compact(node, rows.table());
      assertThat(rows.files(node).settled().fast()).isNotEmpty();
    }
    rows.write(ROWS / 2, ROWS);

    third.start().waitUntilReady();
    Tiered.awaitAllSeeAll(nodes());

    tables.requireAlike("a bootstrap", DefaultConsistencyLevel.ALL);
    assertThat(rows.files(third).settled().slow()).isNotEmpty();
    assertThat(rows.files(third).fast()).isEmpty();
    rows.requireAll("bootstrap", DefaultConsistencyLevel.ALL);
    for (LocalNode node : List.of(first, second)) {
      cleanup(node, Tiered.KEYSPACE);
    }
    rows.requireAll("cleanup", DefaultConsistencyLevel.ALL);
    tables.write(WRITES / 4, DefaultConsistencyLevel.ALL);
    Map<String, Integer> replicas = new HashMap<>();
    for (LocalNode node : nodes()) {
      Tiered.compact(node, "cache", "tier", rows.table()); // then each key is in one SSTable
      rows.files(node).settled().keys().all().forEach(key -> replicas.merge(key, 1, Integer::sum));
    }
    assertThat(replicas).hasSize(ROWS);
    assertThat(replicas.values()).containsOnly(2);
    tables.requireAlike("a compaction", DefaultConsistencyLevel.ALL);
    if (KNOWN > 0) {
      requireKnown(first);
    }
  }

  private List<LocalNode> nodes() {
    return List.of(first, second, third);
  }

  @Test
  @Order(5)
  void shouldServeStockCqlsh() throws Exception {
    Process version = new ProcessBuilder("sh", "-c", "cqlsh --version").start();
    assumeTrue(
        version.waitFor() == 0,
        "no working cqlsh on the PATH; install one with 'pip install cqlsh'");

    String out =
        cqlsh(
            "SELECT count(*) FROM k.rows; SELECT version FROM k.rows WHERE id = 1;"
                + " SELECT table_name, placement FROM kasane_views.tables; DESCRIBE TABLE k.rows");

    assertThat(out)
        .contains("HeatTieredCompactionStrategy")
        .containsPattern("\\s" + ROWS + "\\s")
        .containsPattern("rows \\|\\s+heat");
  }

  private String cqlsh(String statements) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "cqlsh",
                "--request-timeout=60",
                "-e",
                statements,
                first.settings().address(),
                Integer.toString(first.settings().nativePort()))
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  /** Back to what the snapshots of the first two nodes hold, now on three replicas. */
  @Test
  @Order(6)
  void shouldRestoreSnapshotsToThreeReplicas() {
    session.execute(
        "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    Tiered.awaitSchema(first);
    for (String table : TABLES) {
      session.execute("TRUNCATE k." + table);
      for (LocalNode node : List.of(first, second)) {
        String saved = snapshots.get(table + " " + node).get(0).getParent().toString();
        nodetool(node, "import", Tiered.KEYSPACE, table, saved);
      }
    }
    nodetool(first, "repair", "--full", Tiered.KEYSPACE);
    for (LocalNode node : nodes()) {
      tables.requireOn(node, then, "a restore and repair to three replicas");
    }
    for (LocalNode node : nodes()) {
      assertThat(node.log().errors()).as("log of %s", node).isEmpty();
    }
  }
}
