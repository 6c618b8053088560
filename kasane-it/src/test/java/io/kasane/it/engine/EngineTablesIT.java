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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an operator does with tables on engines: ALTER, TRUNCATE, DROP, snapshots, restarts. Tests
 * leave tables behind, and one restart shows that all of them are as they were.
 */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EngineTablesIT {
  /** After the tests that have no order. */
  private static final int RESTART = Integer.MAX_VALUE - 10;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROWS = 300;
  private static final String COMPOSITE =
      "'org.apache.cassandra.db.marshal.CompositeType(Int32Type, UTF8Type)'";

  private Path dir;
  private LocalNode node;
  private CqlSession session;

  /** What is to be so after a restart, as it is before. */
  private final List<Runnable> afterRestart = new ArrayList<>();

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path made) {
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
    connect(node.start());
    EngineNodes.createKeyspace(session, 1);
  }

  private void connect(LocalNode started) {
    session = started.waitUntilReady().connect();
  }

  @AfterAll
  void kill() {
    session.closeAsync();
    node.kill9();
  }

  private void stop() {
    session.closeAsync();
    node.stop();
  }

  private void requireNowAndAfterRestart(Runnable check) {
    check.run();
    afterRestart.add(check);
  }

  @Test
  @Order(RESTART)
  void shouldHaveAfterARestartWhatItHadBefore() {
    requireNoErrors();
    stop();
    connect(node.start());
    afterRestart.forEach(Runnable::run);
  }

  /** But for an index that was asked before it was built. */
  private void requireNoErrors() {
    assertThat(node.log().errors()).allMatch(error -> error.contains("IndexNotAvailableException"));
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

  /** Half of its rows in the engine, the others in memory. */
  private void createWithRows(String table, String engine) {
    EngineNodes.createTable(session, table, engine);
    EngineNodes.write(session, table, 0, ROWS / 2);
    EngineNodes.flush(node, table);
    EngineNodes.write(session, table, ROWS / 2, ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void shouldMoveThere(String engine) {
    String table = "moved_" + engine;
    createWithRows(table, "lsm");
    assertThat(EngineNodes.sstables(node, table)).as("SSTables of lsm").isNotEmpty();
    session.execute("ALTER TABLE k." + table + " WITH memtable = '" + engine + "'");
    EngineNodes.flush(node, table);
    awaitSSTables(table, false);
    requireNowAndAfterRestart(() -> requireAll(table));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void shouldMoveBack(String engine) {
    String table = "back_" + engine;
    createWithRows(table, engine);
    session.execute("ALTER TABLE k." + table + " WITH memtable = 'lsm'");
    requireAll(table);
    awaitSSTables(table, true);
    requireAll(table);
    awaitNotInLedger(id(table), engine);
    requireNowAndAfterRestart(() -> requireAll(table));
  }

  @Test
  void shouldForgetWhatWasTruncated() {
    createWithRows("truncated", "lsm");
    session.execute("ALTER TABLE k.truncated WITH memtable = 'lmdb'");
    awaitSSTables("truncated", false);
    session.execute("TRUNCATE k.truncated");
    requireNowAndAfterRestart(() -> assertThat(EngineNodes.count(session, "truncated")).isZero());
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void shouldForgetWhatWasDropped(String engine) {
    createWithRows("dropped", engine);
    String id = id("dropped");
    assertThat(isInLedger(id, engine)).isTrue();
    session.execute("DROP TABLE k.dropped");
    awaitNotInLedger(id, engine);
  }

  /** Memory has less of a row then than the engine has. */
  @Test
  void shouldMergeWhatIsInMemoryWhereATableMovesBackToFast() {
    session.execute(
        "CREATE TABLE k.parts (id int PRIMARY KEY, a int, b int) WITH memtable = 'lmdb'"
            + " AND compaction = {'class': 'io.kasane.tier.HeatTieredCompactionStrategy',"
            + " 'placement': 'fast-first'}");
    session.execute("INSERT INTO k.parts (id, a, b) VALUES (1, 1, 1)");
    EngineNodes.flush(node, "parts");
    session.execute("UPDATE k.parts SET a = 2 WHERE id = 1");
    session.execute("ALTER TABLE k.parts WITH memtable = 'lsm'");
    awaitNotInLedger(id("parts"), "lmdb");
    requireNowAndAfterRestart(
        () -> {
          Row row = session.execute("SELECT a, b FROM k.parts").one();
          assertThat(row.getInt("a")).isEqualTo(2);
          assertThat(row.getInt("b")).isEqualTo(1);
        });
  }

  private String id(String table) {
    return session
        .execute(
            "SELECT id FROM system_schema.tables WHERE keyspace_name = 'k' AND table_name = ?",
            table)
        .one()
        .getUuid(0)
        .toString();
  }

  /** Whether an engine may have rows of a table or of its indexes. */
  private boolean isInLedger(String id, String engine) {
    try {
      return Files.readAllLines(ledger()).contains(id + " " + engine);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitNotInLedger(String id, String engine) {
    Awaitility.await().atMost(PATIENCE).until(() -> !isInLedger(id, engine));
  }

  private Path ledger() {
    return node.settings().slow().resolve(".kasane-engines");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lmdb", "rocksdb"})
  void shouldRestoreASnapshot(String engine) throws Exception {
    String table = "saved_" + engine;
    createWithRows(table, engine);
    snapshot(table);
    awaitSSTables(table, false);
    requireNowAndAfterRestart(() -> requireAll(table));
  }

  /** Stock's own tools restore it: into a table of Cassandra's own engine. */
  private void snapshot(String table) throws Exception {
    nodetool(node, "snapshot", "-t", "then_" + table, "-cf", table, EngineNodes.KEYSPACE);
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
          .filter(
              path ->
                  path.endsWith("snapshots/then_" + table) && path.toString().contains(table + "-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Nor is a lost ledger a reason to start without them: the engine says what it has. */
  @Test
  @Order(RESTART + 2)
  void shouldRefuseToStartWithoutWhatItsRowsNeedAndStartWithoutItsLedger() throws Exception {
    createWithRows("needs_lmdb", "lmdb");
    String id = id("needs_lmdb");
    stop();

    LocalNode noYaml = node.with(settings -> settings.yaml("memtable", null));
    assertThatThrownBy(() -> noYaml.start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("rows in storage engines");
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

    Files.delete(ledger());
    connect(node.start());
    requireAll("needs_lmdb");
    assertThat(isInLedger(id, "lmdb")).isTrue();
  }

  /** Until its disk is there, tables of an engine cannot be read; others can. */
  @Test
  @Order(RESTART + 3)
  void shouldServeTablesOfAnEngineOnceItsDiskIsThere() throws Exception {
    createWithRows("elsewhere", "lmdb");
    stop();
    Path engine = node.settings().dir().resolve("engines/lmdb");
    Path elsewhere = dir.resolve("elsewhere");
    Files.move(engine, elsewhere);
    connect(node.start());
    assertThatThrownBy(() -> EngineNodes.count(session, "elsewhere"))
        .isInstanceOf(DriverException.class);
    EngineNodes.createTable(session, "other", "lsm");
    EngineNodes.write(session, "elsewhere", 0, 10);
    Files.move(elsewhere, engine);
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(() -> requireAll("elsewhere"));
  }

  /** Its rows are not. */
  @Test
  @Order(RESTART + 4)
  void shouldDrainAnEngineWhoseNameIsGone() {
    createWithRows("unnamed", "lmdb");
    stop();
    LocalNode noName =
        node.with(settings -> EngineNodes.memtables(settings, Map.of("default", "", "lsm", "")));
    connect(noName.start());
    requireAll("unnamed");
    awaitSSTables("unnamed", true);
    requireAll("unnamed");
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
    requireNowAndAfterRestart(
        () -> {
          awaitIndexed("t");
          awaitIndexed("u");
          assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
        });
  }

  /** Those of the test before, after the restart. */
  @Test
  @Order(RESTART + 1)
  void shouldMoveTablesWithTheirIndexes() throws Exception {
    session.execute("DROP INDEX k.by_w");
    awaitSSTables("u", false);
    assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
    requireView("u");
    awaitSSTables("u", false);
    assertThat(EngineNodes.count(session, "u")).isEqualTo(ROWS + 10);
    awaitSSTables("t", false);
    // The index goes with its table, and leaves nothing behind.
    session.execute("ALTER TABLE k.t WITH memtable = 'lsm'");
    awaitNotInLedger(id("t"), "lmdb");
    awaitIndexed("t");
    session.execute("ALTER TABLE k.t WITH memtable = 'rocksdb'");
    awaitSSTables("t", false);
    session.execute("DROP INDEX k.by_v");
    session.execute("ALTER TABLE k.t WITH memtable = 'lsm'");
    session.execute("ALTER TABLE k.u WITH memtable = 'lsm'");
    awaitNotInLedger(id("t"), "rocksdb");
    awaitNotInLedger(id("u"), "rocksdb");
    assertThat(EngineNodes.count(session, "t")).isEqualTo(ROWS);
    requireNoErrors();
  }

  @Test
  void shouldKeepRowsInSSTablesThatKeysCouldNotTellApart() {
    session.execute(
        "CREATE TABLE k.composite (id int, c "
            + COMPOSITE
            + ", v text, PRIMARY KEY (id, c)) WITH memtable = 'lmdb'");
    session.execute("INSERT INTO k.composite (id, c, v) VALUES (77, '1:a', 'v77')");
    EngineNodes.flush(node, "composite");
    assertThat(EngineNodes.sstables(node, "composite")).isNotEmpty();
    assertThat(node.log().contains("k.composite stays in SSTables, whatever its memtable says"))
        .isTrue();
    assertThat(EngineNodes.mayHaveRows(session, "composite")).isFalse();
    requireNowAndAfterRestart(() -> assertThat(EngineNodes.count(session, "composite")).isOne());
  }

  /** An index's keys are what is indexed: the table's rows go to SSTables with it. */
  @Test
  void shouldKeepRowsInSSTablesThatKeysOfAnIndexCouldNotTellApart() {
    EngineNodes.createTable(session, "by_composite", "rocksdb");
    session.execute("ALTER TABLE k.by_composite ADD w " + COMPOSITE);
    EngineNodes.write(session, "by_composite", 0, ROWS);
    session.execute("UPDATE k.by_composite SET w = '1:a' WHERE id = 77 AND c = 0");
    EngineNodes.flush(node, "by_composite");
    awaitSSTables("by_composite", false);
    session.execute("CREATE INDEX by_its_w ON k.by_composite (w)");
    awaitSSTables("by_composite", true);
    requireNowAndAfterRestart(() -> requireFound("by_composite"));
  }

  /** And come back: after the restart, those of the test before. */
  @Test
  @Order(RESTART + 1)
  void shouldMoveThereOnceSuchAnIndexIsDropped() {
    session.execute("DROP INDEX k.by_its_w");
    awaitSSTables("by_composite", false);
    requireAll("by_composite");
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
