/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What an operator does with tables on engines: ALTER, TRUNCATE, DROP, snapshots, restarts. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineTablesIT {
  private static final int ROWS = 500;

  private Path dir;
  private LocalNode node;
  private CqlSession session;
  private int errorsBefore;

  @BeforeAll
  void describe(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path made) {
    dir = made;
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("700m")
                        .engine("lsm")
                        .syncEveryWrite()
                        .yaml("materialized_views_enabled", true))
            .build()
            .node(1);
  }

  @BeforeEach
  void start() {
    if (!node.isAlive()) {
      connect(node.start());
    }
    errorsBefore = node.log().errors().size();
    EngineNodes.createKeyspace(session, 1);
  }

  private void connect(LocalNode started) {
    session = started.waitUntilReady().connect();
  }

  @AfterEach
  void drop() {
    if (node.isAlive()) {
      session.execute("DROP KEYSPACE IF EXISTS k");
    }
  }

  @AfterAll
  void stop() {
    session.closeAsync();
    node.kill9();
  }

  private List<String> errors() {
    List<String> errors = node.log().errors();
    return errors.subList(errorsBefore, errors.size());
  }

  /** Of one engine it says as much as of both. */
  private void restart(String engine) {
    if (engine.equals("lmdb")) {
      restart();
    }
  }

  private void restart() {
    session.closeAsync();
    node.stop();
    connect(node.start());
  }

  private void requireAll(String table) {
    assertThat(EngineNodes.count(session, table)).as("rows of %s", table).isEqualTo(ROWS);
    assertThat(session.execute("SELECT v FROM k." + table + " WHERE id = 77").one().getString(0))
        .isEqualTo("v77");
  }

  private void awaitSSTables(String table, boolean some) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> assertThat(EngineNodes.sstables(node, table).isEmpty()).isEqualTo(!some));
  }

  @Test
  void shouldMoveThereAndBackAndForgetWhatWasTruncatedOrDropped() throws Exception {
    for (String engine : List.of("lmdb", "rocksdb")) {
      String table = "t_" + engine;
      EngineNodes.createTable(session, table, "lsm");
      EngineNodes.write(session, table, 0, ROWS / 2);
      EngineNodes.flush(node, table);
      assertThat(EngineNodes.sstables(node, table)).as("SSTables of lsm").isNotEmpty();

      session.execute("ALTER TABLE k." + table + " WITH memtable = '" + engine + "'");
      EngineNodes.write(session, table, ROWS / 2, ROWS);
      EngineNodes.flush(node, table);
      awaitSSTables(table, false);
      requireAll(table);
      restart(engine);
      requireAll(table);

      snapshot(table);
      awaitSSTables(table, false);
      requireAll(table);

      session.execute("ALTER TABLE k." + table + " WITH memtable = 'lsm'");
      requireAll(table);
      awaitSSTables(table, true);
      requireAll(table);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !ledger().contains(engine)); // nothing is left in the engine
      restart(engine);
      requireAll(table);

      session.execute("ALTER TABLE k." + table + " WITH memtable = '" + engine + "'");
      awaitSSTables(table, false);
      session.execute("TRUNCATE k." + table);
      assertThat(EngineNodes.count(session, table)).isZero();
      restart(engine);
      assertThat(EngineNodes.count(session, table)).isZero();
      EngineNodes.write(session, table, 0, ROWS);
      EngineNodes.flush(node, table);
      session.execute("DROP TABLE k." + table);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !ledger().contains(engine));
    }
    moveBackToFast();
    assertThat(errors()).isEmpty();
  }

  /** Memory has less of a row then than the engine has. */
  private void moveBackToFast() throws Exception {
    session.execute(
        "CREATE TABLE k.parts (id int PRIMARY KEY, a int, b int) WITH memtable = 'lmdb'"
            + " AND compaction = {'class': 'io.kasane.tier.HeatTieredCompactionStrategy',"
            + " 'placement': 'fast-first'}");
    session.execute("INSERT INTO k.parts (id, a, b) VALUES (1, 1, 1)");
    EngineNodes.flush(node, "parts");
    session.execute("UPDATE k.parts SET a = 2 WHERE id = 1");
    session.execute("ALTER TABLE k.parts WITH memtable = 'lsm'");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !ledger().contains("lmdb"));
    Row row = session.execute("SELECT a, b FROM k.parts").one();
    assertThat(row.getInt("a")).isEqualTo(2);
    assertThat(row.getInt("b")).isEqualTo(1);
  }

  private String ledger() throws Exception {
    return Files.readString(node.settings().slow().resolve(".kasane-engines"));
  }

  /** Stock's own tools restore it: into a table of Cassandra's own engine. */
  private void snapshot(String table) throws Exception {
    nodetool(node, "snapshot", "-t", "then", "-cf", table, EngineNodes.KEYSPACE);
    String copy = "copy_of_" + table;
    EngineNodes.createTable(session, copy, "lsm");
    nodetool(
        node, "import", EngineNodes.KEYSPACE, copy, "--copy-data", snapshotOf(table).toString());
    requireAll(copy);
    session.execute("TRUNCATE k." + table); // with a snapshot of its own
    assertThat(EngineNodes.count(session, table)).isZero();
    nodetool(
        node, "import", EngineNodes.KEYSPACE, table, "--copy-data", snapshotOf(table).toString());
  }

  private Path snapshotOf(String table) throws Exception {
    try (Stream<Path> found = Files.walk(node.settings().slow().resolve(EngineNodes.KEYSPACE))) {
      return found
          .filter(path -> path.endsWith("snapshots/then") && path.toString().contains(table + "-"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void shouldRefuseToStartWithoutWhatItsRowsNeed() throws Exception {
    EngineNodes.createTable(session, "t", "lmdb");
    EngineNodes.write(session, "t", 0, ROWS);
    EngineNodes.flush(node, "t");
    node.stop();

    LocalNode noYaml = node.with(settings -> settings.yaml("memtable", null));
    assertThatThrownBy(() -> noYaml.start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("rows in storage engines");

    LocalNode foreign =
        node.with(
            settings ->
                settings.yaml(
                    "memtable",
                    Map.of(
                        "configurations",
                        Map.of(
                            "default",
                            Map.of("class_name", "io.kasane.engine.memtable.EngineMemtable"),
                            "trie",
                            Map.of("class_name", "TrieMemtable")))));
    assertThatThrownBy(() -> foreign.start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("memtable.configurations.trie");

    // The name of the engine is gone, its rows are not: they are drained.
    LocalNode noName =
        node.with(settings -> EngineNodes.memtables(settings, Map.of("default", "", "lsm", "")));
    connect(noName.start());
    requireAll("t");
    awaitSSTables("t", true);
    requireAll("t");
    session.closeAsync();
    noName.stop();
    connect(node.start());
    requireAll("t");
    awaitSSTables("t", false);
    session.closeAsync();
    node.stop();

    // The ledger is lost: what lies in the engine says what it must.
    Files.delete(node.settings().slow().resolve(".kasane-engines"));
    connect(node.start());
    requireAll("t");
    assertThat(ledger()).contains("lmdb");
    session.closeAsync();
    node.stop();

    // The engine's disk is not there: its tables cannot be read, until it is.
    Path engine = node.settings().dir().resolve("engines/lmdb");
    Path elsewhere = dir.resolve("elsewhere");
    Files.move(engine, elsewhere);
    connect(node.start());
    assertThatThrownBy(() -> EngineNodes.count(session, "t")).isInstanceOf(DriverException.class);
    EngineNodes.createTable(session, "other", "lsm");
    EngineNodes.write(session, "t", 0, 10);
    Files.move(elsewhere, engine);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(() -> requireAll("t"));
    session.closeAsync();
    node.stop();

    LocalNode noJar =
        new LocalNode(
            EngineNodes.distribution(dir.resolve("no-jar"), jar -> !jar.contains("engine")),
            node.settings());
    assertThatThrownBy(() -> noJar.start().waitUntilReady()).isInstanceOf(NodeException.class);
    LocalNode noEngineJar =
        new LocalNode(
            EngineNodes.distribution(dir.resolve("no-lmdb"), jar -> !jar.contains("engine-lmdb")),
            node.settings());
    assertThatThrownBy(() -> noEngineJar.start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("'lmdb'");
    connect(node.start());
    requireAll("t");
  }

  @Test
  void shouldIndexRowsThatAreInTheEngine() throws Exception {
    EngineNodes.createTable(session, "t", "lmdb");
    EngineNodes.write(session, "t", 0, ROWS);
    EngineNodes.flush(node, "t");
    session.execute("CREATE INDEX by_v ON k.t (v)");
    awaitIndexed("t");
    requireSizes("t");
    requireRebuilt("t");
    EngineNodes.createTable(session, "u", "rocksdb");
    EngineNodes.write(session, "u", 0, ROWS);
    EngineNodes.flush(node, "u");
    // Such an index lies beside SSTables: the table's rows go there.
    session.execute("CREATE INDEX by_w ON k.u (v) USING 'sai'");
    awaitSSTables("u", true);
    awaitIndexed("u");
    EngineNodes.write(session, "u", ROWS, ROWS + 10);
    EngineNodes.flush(node, "u");
    restart();
    awaitIndexed("t");
    awaitIndexed("u");
    assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
    session.execute("DROP INDEX k.by_w");
    awaitSSTables("u", false);
    assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
    requireView("u");
    awaitSSTables("u", false);
    assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
    awaitSSTables("t", false);
    // The index goes with its table, and leaves nothing behind.
    session.execute("ALTER TABLE k.t WITH memtable = 'lsm'");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !ledger().contains("lmdb"));
    awaitIndexed("t");
    session.execute("ALTER TABLE k.t WITH memtable = 'rocksdb'");
    awaitSSTables("t", false);
    session.execute("DROP INDEX k.by_v");
    session.execute("ALTER TABLE k.t WITH memtable = 'lsm'");
    session.execute("ALTER TABLE k.u WITH memtable = 'lsm'");
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !ledger().contains("rocksdb"));
    assertThat(EngineNodes.count(session, "t")).isEqualTo(ROWS);
    assertThat(errors()) // an index was asked before it was built
        .allMatch(error -> error.contains("IndexNotAvailableException"));
  }

  @Test
  void shouldKeepRowsInSSTablesThatKeysCouldNotTellApart() throws Exception {
    String composite = "'org.apache.cassandra.db.marshal.CompositeType(Int32Type, UTF8Type)'";
    session.execute(
        "CREATE TABLE k.t (id int, c "
            + composite
            + ", v text, PRIMARY KEY (id, c)) WITH memtable = 'lmdb'");
    session.execute("INSERT INTO k.t (id, c, v) VALUES (77, '1:a', 'v77')");
    EngineNodes.flush(node, "t");
    assertThat(EngineNodes.sstables(node, "t")).isNotEmpty();
    assertThat(node.log().contains("k.t stays in SSTables, whatever its memtable says")).isTrue();
    assertThat(EngineNodes.mayHaveRows(session, "t")).isFalse();

    // An index's keys are what is indexed: the table's rows go to SSTables with it, and come back.
    EngineNodes.createTable(session, "u", "rocksdb");
    session.execute("ALTER TABLE k.u ADD w " + composite);
    EngineNodes.write(session, "u", 0, ROWS);
    session.execute("UPDATE k.u SET w = '1:a' WHERE id = 77 AND c = 0");
    EngineNodes.flush(node, "u");
    awaitSSTables("u", false);
    session.execute("CREATE INDEX by_w ON k.u (w)");
    awaitSSTables("u", true);
    requireFound("u");
    restart();
    requireFound("u");
    assertThat(EngineNodes.count(session, "t")).isOne();
    session.execute("DROP INDEX k.by_w");
    awaitSSTables("u", false);
    requireAll("u");
  }

  private void requireFound(String table) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(DriverException.class) // the index is not built yet
        .untilAsserted(
            () ->
                assertThat(session.execute("SELECT v FROM k." + table + " WHERE w = '1:a'").all())
                    .hasSize(1));
    requireAll(table);
  }

  /** What drivers divide a table by, and nodetool shows. */
  private void requireSizes(String table) throws Exception {
    nodetool(node, "refreshsizeestimates"); // as every five minutes: of SSTables
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        session
                            .execute(
                                "SELECT SUM(partitions_count) FROM system.size_estimates"
                                    + " WHERE keyspace_name = 'k' AND table_name = ?",
                                table)
                            .one()
                            .getLong(0))
                    .isBetween(ROWS / 2L, 2L * ROWS));
    // An engine is asked for its size every five seconds, and not waited for.
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(nodetool(node, "tablestats", EngineNodes.KEYSPACE + "." + table))
                    .doesNotContain("Space used (live): 0")
                    .containsPattern("Number of partitions \\(estimate\\): [1-9][0-9]{2}"));
  }

  /** Cassandra builds a view from SSTables: the table's rows go there, and the view's own. */
  private void requireView(String table) throws Exception {
    session.execute(
        "CREATE MATERIALIZED VIEW k.by_value AS SELECT * FROM k."
            + table
            + " WHERE v IS NOT NULL AND id IS NOT NULL AND c IS NOT NULL"
            + " PRIMARY KEY (v, id, c) WITH memtable = 'lmdb'");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> assertThat(EngineNodes.count(session, "by_value")).isEqualTo(ROWS + 10));
    awaitSSTables(table, true);
    session.execute("DELETE FROM k." + table + " WHERE id = 77");
    session.execute("UPDATE k." + table + " SET v = 'other' WHERE id = 78 AND c = 1");
    EngineNodes.flush(node, table);
    EngineNodes.flush(node, "by_value");
    assertThat(EngineNodes.sstables(node, "by_value")).isNotEmpty();
    assertThat(EngineNodes.count(session, "by_value")).isEqualTo(ROWS + 9);
    assertThat(session.execute("SELECT id FROM k.by_value WHERE v IN ('v77', 'v78')").all())
        .isEmpty();
    EngineNodes.write(session, table, 77, 79);
    session.execute("DROP MATERIALIZED VIEW k.by_value");
  }

  private void requireRebuilt(String table) throws Exception {
    nodetool(node, "rebuild_index", EngineNodes.KEYSPACE, table, "by_v");
    assertThat(node.log().contains("Built [by_v] of")).isTrue();
    awaitIndexed(table);
  }

  private void awaitIndexed(String table) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(DriverException.class) // not built yet
        .untilAsserted(
            () -> {
              for (int id = 0; id < ROWS; id += 50) {
                assertThat(
                        session
                            .execute("SELECT id FROM k." + table + " WHERE v = ?", "v" + id)
                            .all())
                    .as("row %d", id)
                    .hasSize(1);
              }
            });
  }
}
