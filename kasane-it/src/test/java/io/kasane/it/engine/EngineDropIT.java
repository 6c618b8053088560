/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Drops, truncates, indexes and snapshots of tables on an engine, also when it is out. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineDropIT {
  private static final int ROWS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path dir;
  private FaultyNode faulty;
  private LocalNode node;
  private int tables;
  private String table;
  private UUID id;

  @BeforeAll
  void start() throws IOException {
    faulty =
        FaultyNode.start(
            dir,
            settings ->
                FaultyNode.impatient(settings)
                    .syncEveryWrite()
                    .jvmFlag("-Dkasane.engine_orphan_pause_millis=1000"));
    node = faulty.node();
    EngineNodes.createTable(session(), "stays", "faulty");
    EngineNodes.write(session(), "stays", 0, ROWS);
    EngineNodes.flush(node, "stays");
  }

  @AfterAll
  void stop() {
    faulty.close();
  }

  @BeforeEach
  void createTable() {
    faulty.awaitWorking(); // after the fault of another test
    table = "t" + ++tables;
    EngineNodes.createTable(session(), table, "faulty");
    EngineNodes.write(session(), table, 0, ROWS);
    EngineNodes.flush(node, table);
    Awaitility.await().atMost(PATIENCE).until(() -> EngineNodes.sstables(node, table).isEmpty());
    id =
        session()
            .execute(
                "SELECT id FROM system_schema.tables WHERE keyspace_name = 'k' AND table_name = ?",
                table)
            .one()
            .getUuid(0);
  }

  @AfterEach
  void heal() throws IOException {
    faulty.heal();
    assertThat(EngineNodes.count(session(), "stays")).isEqualTo(ROWS);
  }

  private CqlSession session() {
    return faulty.session();
  }

  private void drop() {
    session().execute("DROP TABLE k." + table);
  }

  /** As the schema of a snapshot says it. */
  private void createWithId() {
    session()
        .execute(
            "CREATE TABLE k."
                + table
                + " (id int, c int, v text, PRIMARY KEY (id, c)) WITH ID = "
                + id
                + " AND memtable = 'faulty'");
  }

  /** It has what was written to it, takes rows into its engine and out again. */
  private void requireWorks() {
    assertThat(EngineNodes.count(session(), table)).as("rows of before").isZero();
    EngineNodes.write(session(), table, ROWS, ROWS + 20);
    EngineNodes.flush(node, table);
    assertThat(EngineNodes.count(session(), table)).isEqualTo(20);
    assertThat(EngineNodes.mayHaveRows(session(), table)).isTrue();
    session().execute("ALTER TABLE k." + table + " WITH memtable = 'default'");
    Awaitility.await().atMost(PATIENCE).until(() -> !EngineNodes.mayHaveRows(session(), table));
    assertThat(EngineNodes.count(session(), table)).isEqualTo(20);
  }

  /** So many tables of the id have left the engine. */
  private void awaitRemoved(int times) {
    String name = id.toString().replace("-", "");
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                node.log().lines().stream()
                        .filter(line -> line.contains("Removed ") && line.contains(name))
                        .count()
                    == times);
  }

  /** Neither the engine nor the ledger has anything of it. */
  private void awaitForgotten() {
    Awaitility.await().atMost(PATIENCE).until(() -> ledger().stream().noneMatch(this::isOfTable));
  }

  private boolean isOfTable(String line) {
    return line.startsWith(id.toString());
  }

  private Path ledgerFile() {
    return node.settings().slow().resolve(".kasane-engines");
  }

  private List<String> ledger() throws IOException {
    return Files.readAllLines(ledgerFile());
  }

  @Test
  void shouldMakeAnotherTableOfTheSameId() throws Exception {
    drop();
    createWithId();
    requireWorks();
    drop();
    awaitRemoved(1);
    createWithId();
    requireWorks();
    drop();
    awaitForgotten();
  }

  @Test
  void shouldDropWhileTheEngineThrows() throws Exception {
    faulty.fault("throw");
    drop();
    createWithId();
    assertThat(EngineNodes.sstables(node, "stays")).isEmpty();
    faulty.heal();
    awaitReads();
    requireWorks();
    assertThat(node.log().contains("is dropped without a snapshot")).isTrue();
    drop();
    awaitRemoved(1);
  }

  @Test
  void shouldDropWhileTheEngineHangs() throws Exception {
    faulty.fault("hang");
    drop();
    createWithId();
    faulty.heal();
    awaitReads();
    requireWorks();
    drop();
    awaitRemoved(1);
  }

  @Test
  void shouldDropWhatCannotBeCopied() throws Exception {
    faulty.fault("fail EngineExport");
    drop();
    createWithId();
    faulty.heal();
    requireWorks();
  }

  @Test
  void shouldRefuseATruncateWhoseSnapshotCannotBeMade() throws Exception {
    faulty.fault("fail EngineExport");
    assertThatThrownBy(() -> session().execute("TRUNCATE k." + table))
        .isInstanceOf(DriverException.class);
    awaitWayOut();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    truncateWithoutSnapshot();
    assertThat(EngineNodes.count(session(), table)).isZero();
  }

  /** Cassandra answers first, and logs what happened then. */
  private void awaitWayOut() {
    String text = "ALTER TABLE k." + table + " WITH allow_auto_snapshot = false";
    Awaitility.await().atMost(PATIENCE).until(() -> node.log().contains(text));
  }

  private void truncateWithoutSnapshot() {
    session().execute("ALTER TABLE k." + table + " WITH allow_auto_snapshot = false");
    session().execute("TRUNCATE k." + table);
  }

  @Test
  void shouldTruncateWhileTheEngineHangs() throws Exception {
    faulty.fault("hang");
    assertThatThrownBy(() -> session().execute("TRUNCATE k." + table))
        .isInstanceOf(DriverException.class);
    awaitWayOut();
    truncateWithoutSnapshot();
    faulty.heal();
    awaitReads();
    requireWorks();
  }

  @Test
  void shouldNotWaitForAnEngineThatHangsInASnapshot() throws Exception {
    faulty.fault("hang");
    assertThatThrownBy(() -> nodetool(node, "snapshot", "-t", "hung", "-cf", table, "k"))
        .hasMessageContaining("stood still");
    faulty.heal();
    awaitReads();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    nodetool(node, "snapshot", "-t", "healed", "-cf", table, "k");
  }

  @Test
  void shouldKeepASnapshotOfWhatIsDropped() throws Exception {
    drop();
    try (Stream<Path> files = Files.walk(node.settings().slow().resolve("k"))) {
      assertThat(
              files.filter(
                  file ->
                      file.toString().contains("/" + table + "-")
                          && file.toString().contains("/snapshots/dropped-")
                          && file.toString().endsWith("-Data.db")))
          .isNotEmpty();
    }
    awaitRemoved(1);
  }

  /**
   * Killed while the engine could drop nothing: of one table it was to remember the drop, of two
   * the schema had lost them, and nobody was told.
   */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class AfterAKill {
    private Table told;
    private Table untold;
    private Table untoldAndMadeAgain;

    @BeforeAll
    void dropAndKill() throws IOException {
      told = created();
      untold = created();
      untoldAndMadeAgain = created();
      List<Table> forgotten = List.of(untold, untoldAndMadeAgain);
      faulty.fault("throw");
      for (Table each : List.of(told, untold, untoldAndMadeAgain)) {
        use(each);
        drop();
        assertThat(ledger()).as("it is to be removed").anyMatch(EngineDropIT.this::isOfTable);
      }
      node.kill9();
      for (Table each : forgotten) {
        use(each);
        forgetTheDrop();
      }
      faulty.startAgain();
      use(untoldAndMadeAgain);
      createWithId();
    }

    private Table created() {
      createTable();
      return new Table(table, id);
    }

    private void use(Table one) {
      table = one.name;
      id = one.id;
    }

    @Test
    void shouldRemoveWhatWasDropped() {
      use(told);
      awaitRemoved(1);
      awaitForgotten();
      createWithId();
      requireWorks();
    }

    @Test
    void shouldRemoveWhatTheSchemaDoesNotKnow() {
      use(untold);
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> node.log().contains("has rows of a table " + id + " that"));
      awaitRemoved(1);
      awaitForgotten();
    }

    @Test
    void shouldHaveMadeAnotherTableAlsoWhenNobodyWasToldOfTheDrop() {
      use(untoldAndMadeAgain);
      requireWorks();
    }
  }

  private record Table(String name, UUID id) {}

  private void forgetTheDrop() throws IOException {
    List<String> lines = new ArrayList<>(ledger());
    lines.removeIf(this::isOfTable);
    lines.remove(lines.size() - 1);
    String body = String.join("\n", lines) + "\n";
    CRC32 checksum = new CRC32();
    checksum.update(body.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    Files.writeString(ledgerFile(), body + String.format("crc32 %08x", checksum.getValue()) + "\n");
  }

  /** They are in no SSTable, from which Cassandra builds, and not in the engine yet. */
  @Test
  void shouldIndexRowsThatAreOnTheirWayIntoTheEngine() throws Exception {
    EngineNodes.createTable(session(), "indexed", "faulty");
    EngineNodes.write(session(), "indexed", 0, ROWS);
    faulty.fault("hang-reads"); // and a flush cannot begin
    CompletionStage<?> created = session().executeAsync("CREATE INDEX by_v ON k.indexed (v)");
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> node.log().contains("Enqueuing flush of k.indexed"));
    faulty.heal();
    created.toCompletableFuture().get(1, TimeUnit.MINUTES);
    awaitIndexed("indexed");
  }

  /** Cassandra leaves that to operators. */
  @Test
  void shouldBuildAnIndexAgainWhoseBuildFailed() throws Exception {
    String name = "index_failed";
    EngineNodes.createTable(session(), name, "faulty");
    EngineNodes.write(session(), name, 0, ROWS / 2);
    EngineNodes.flush(node, name);
    faulty.fault("throw");
    EngineNodes.write(session(), name, ROWS / 2, ROWS);
    EngineNodes.flush(node, name);
    session().execute("CREATE INDEX ON k." + name + " (v)");
    Awaitility.await().atMost(PATIENCE).until(() -> node.log().contains("failed. Please run full"));
    faulty.heal();
    awaitIndexed(name);
  }

  private void awaitIndexed(String name) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(DriverException.class) // not built yet
        .until(
            () -> {
              long found = 0;
              for (int id = 0; id < ROWS; id++) {
                String cql = "SELECT id FROM k." + name + " WHERE v = ?";
                found += session().execute(cql, "v" + id).all().size();
              }
              return found == ROWS;
            });
  }

  private void awaitReads() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> EngineNodes.count(session(), "stays") == ROWS);
  }
}
