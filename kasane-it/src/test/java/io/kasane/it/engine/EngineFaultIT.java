/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An engine that throws, hangs or is full: no acknowledged write is lost, other tables go on, and
 * when it works again all is in it.
 */
@Tag("node")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EngineFaultIT extends FaultyTables {
  private static final double OUT = 100;

  /** Tables that tests leave as they are, for the one that kills the node. */
  private final Map<String, Integer> rowsBeforeKill = new LinkedHashMap<>();

  @Override
  void set(NodeSettings.Builder settings) {
    settings.syncEveryWrite();
  }

  @Test
  void shouldKeepWritesWhileTheEngineThrows() throws Exception {
    write(0, ROWS);
    flush();
    fault("throw");
    write(ROWS, 2 * ROWS);
    session().execute("DELETE FROM k." + table + " WHERE id = 5");
    flush();
    assertThat(EngineNodes.sstables(node(), table)).as("a flush while it is out").isNotEmpty();
    assertThatThrownBy(() -> EngineNodes.count(session(), table))
        .isInstanceOf(DriverException.class);
    awaitSeverity(OUT); // others read elsewhere
    requireOthersGoOn();
    requireAllMovedIn(2 * ROWS - 1);
    awaitSeverity(0);
  }

  private void awaitSeverity(double severity) {
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(session().execute("SELECT severity FROM kasane_views.replicas"))
                    .extracting(row -> row.getDouble(0))
                    .containsExactly(severity));
  }

  @Test
  void shouldGoOnReadingWhileTheEngineIsFull() throws Exception {
    write(0, ROWS);
    flush();
    fault("full");
    write(ROWS, 2 * ROWS);
    flush();
    assertThat(EngineNodes.sstables(node(), table)).isNotEmpty();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(2 * ROWS);
    requireOthersGoOn();
    requireAllMovedIn(2 * ROWS);
  }

  @Test
  void shouldTruncateWhileTheEngineHangs() throws Exception {
    write(0, ROWS);
    flush();
    fault("hang-writes");
    write(ROWS, 2 * ROWS);
    flush();
    session().execute("TRUNCATE k." + table);
    assertThat(EngineNodes.count(session(), table)).isZero();
    write(2 * ROWS, 3 * ROWS);
    flush();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    requireAllMovedIn(ROWS); // and nothing of what hung
    rowsBeforeKill.put(table, ROWS);
  }

  /**
   * Two flushes fall back while an earlier one still hangs in the engine; another table is
   * truncated while it is being moved in. Then the node is killed, for which tests of before have
   * left tables, too.
   */
  @Test
  @Order(Integer.MAX_VALUE)
  void shouldHaveAfterAKillWhatFellBackAndNothingThatWasTruncated() throws Exception {
    String truncated = table;
    write(0, 10 * ROWS);
    createTable();
    write(0, ROWS);
    flush();
    fault("hang-writes");
    write(ROWS, 2 * ROWS);
    flush();
    write(2 * ROWS, 3 * ROWS);
    flush();
    session().execute("DELETE FROM k." + table + " WHERE id = 7");
    flush();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(3 * ROWS - 1);
    requireOthersGoOn();
    EngineNodes.flush(node(), truncated);
    assertThat(EngineNodes.sstables(node(), truncated)).isNotEmpty();
    heal();
    session().execute("TRUNCATE k." + truncated); // the mover may be at any step
    assertThat(EngineNodes.count(session(), truncated)).isZero();
    rowsBeforeKill.put(truncated, 0);

    node().kill9(); // nothing was claimed to be anywhere but in SSTables and the log
    faulty().startAgain();
    for (Map.Entry<String, Integer> before : rowsBeforeKill.entrySet()) {
      assertThat(EngineNodes.count(session(), before.getKey()))
          .as("rows of %s after a kill", before.getKey())
          .isEqualTo((long) before.getValue());
    }
    assertThat(EngineNodes.count(session(), table)).isEqualTo(3 * ROWS - 1);
    requireAllMovedIn(3 * ROWS - 1);
  }

  /** What is half out of the engine, or half in, when the table is altered back. */
  @Test
  void shouldGoOnWhereATableIsAlteredThereAndBackDuringADrain() throws Exception {
    write(0, ROWS);
    flush();
    String alter = "ALTER TABLE k." + table + " WITH memtable = ";
    for (int i = 1; i <= 2; i++) {
      fault("hang-walks");
      session().execute(alter + "'default'");
      awaitMoving();
      write(i * ROWS, (i + 1) * ROWS);
      session().execute("DELETE FROM k." + table + " WHERE id = " + i);
      session().execute(alter + "'faulty'");
      heal();
      requireAllMovedIn((i + 1) * ROWS - i);
    }
    fault("hang-writes");
    session().execute(alter + "'default'");
    awaitMoving(); // all is in SSTables, and the engine is not dropped yet
    session().execute(alter + "'faulty'");
    write(3 * ROWS, 4 * ROWS);
    heal();
    requireAllMovedIn(4 * ROWS - 2);
    assertThat(session().execute("SELECT * FROM k." + table + " WHERE id = 1")).isEmpty();
  }

  /** A disk may be slow to know that a table is not there any more. */
  @ParameterizedTest
  @ValueSource(strings = {"hang-after-drop", "hang-sync"})
  void shouldReadWhileADrainEnds(String hang) throws Exception {
    write(0, ROWS);
    flush();
    requireAllMovedIn(ROWS); // a slow disk may have made it an SSTable first
    fault(hang);
    session().execute("ALTER TABLE k." + table + " WITH memtable = 'default'");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !EngineNodes.sstables(node(), table).isEmpty());
    for (int i = 0; i < 100; i++) {
      assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    }
    assertThat(EngineNodes.mayHaveRows(session(), table)).as("after a crash").isTrue();
    heal();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !nodetool(node(), "compactionstats").contains(table));
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
  }

  /** A drop that the disk may not know of is synced again: a power failure could undo it. */
  @Test
  void shouldTakeRowsForThereUntilADropIsSynced() throws Exception {
    write(0, ROWS);
    flush();
    fault("throw-sync");
    long failedBefore = failedMoves();
    session().execute("ALTER TABLE k." + table + " WITH memtable = 'default'");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> failedMoves() >= failedBefore + 2);
    assertThat(EngineNodes.mayHaveRows(session(), table)).isTrue();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    heal();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !EngineNodes.mayHaveRows(session(), table));
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
  }

  /** Building an index takes longer than it takes the mover to find the SSTables that it reads. */
  @Test
  void shouldLeaveIndexesWhatTheyAreBuiltFrom() throws Exception {
    String index = createIndex();
    fault("slow-reads");
    nodetool(node(), "rebuild_index", EngineNodes.KEYSPACE, table, index);
    assertThat(Files.readString(node().log().path()))
        .as("what the engine has was moved into it")
        .doesNotContainPattern("Moved \\S+/" + table + "-");
    requireAllMovedIn(ROWS);
    assertThat(byValue(ROWS - 1)).hasSize(1);
  }

  /** A truncate that meets a copy takes what comes of it, too. */
  @Test
  void shouldTruncateWhatIndexesAreBuiltFrom() throws Exception {
    String index = createIndex();
    fault("slow-walks");
    CompletableFuture<String> rebuild =
        CompletableFuture.supplyAsync(
            () -> nodetool(node(), "rebuild_index", EngineNodes.KEYSPACE, table, index));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !EngineNodes.sstables(node(), table).isEmpty());
    CompletableFuture<?> truncate =
        session().executeAsync("TRUNCATE k." + table).toCompletableFuture();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> node().log().contains("Truncating k." + table + " with truncatedAt"));
    heal();
    truncate.join();
    assertThat(EngineNodes.count(session(), table)).isZero();
    rebuild.join();
    assertThat(EngineNodes.count(session(), table)).isZero();
    rowsBeforeKill.put(table, 0);
  }

  /** Each try writes the table once more. */
  @Test
  void shouldKeepOneCopyOfATableWhoseIndexCannotBeBuilt() throws Exception {
    write(0, ROWS);
    flush();
    fault("fail CollatedViewIndexBuilder");
    long failedBefore = failedMoves();
    session().execute("CREATE INDEX by_" + table + " ON k." + table + " (v)");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> failedMoves() >= failedBefore + 3);
    assertThat(EngineNodes.sstables(node(), table)).hasSizeLessThanOrEqualTo(1);
    heal();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(DriverException.class) // not built yet
        .until(() -> !byValue(1).isEmpty());
    requireAllMovedIn(ROWS);
  }

  /** As where LMDB has its most tables. */
  @Test
  void shouldTakeRowsOfOtherTablesThanOneThatItHasNoRoomFor() throws Exception {
    write(0, ROWS);
    flush();
    faulty().awaitWorking();
    long failedBefore = faulty().failures();
    String there = table;
    createTable();
    fault("full-tables");
    write(0, ROWS);
    flush();
    assertThat(EngineNodes.sstables(node(), table)).isNotEmpty();
    assertThat(EngineNodes.count(session(), table)).isEqualTo(ROWS);
    EngineNodes.write(session(), there, ROWS, 2 * ROWS);
    EngineNodes.flush(node(), there);
    assertThat(EngineNodes.sstables(node(), there)).isEmpty();
    assertThat(faulty().failures()).isEqualTo(failedBefore);
    requireAllMovedIn(ROWS);
  }

  @Test
  void shouldFailOnlyWhatNeedsAnEntryThatCannotBeRead() throws Exception {
    write(0, ROWS);
    String insert = "INSERT INTO k." + table + " (id, c, v) VALUES (%d, %d, '%s')";
    session().execute(String.format(insert, 1, 1, "unreadable"));
    session().execute(String.format(insert, 1, 2, "beside it"));
    flush();
    faulty().awaitWorking();
    long failedBefore = faulty().failures();
    fault("corrupt unreadable");
    String select = "SELECT v FROM k." + table + " WHERE id = ";
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> session().execute(select + "1 AND c = 1"))
                    .isInstanceOf(DriverException.class));
    assertThat(session().execute(select + "1 AND c = 2")).hasSize(1);
    assertThat(session().execute(select + "2")).hasSize(1);

    write(2, ROWS);
    flush();
    assertThat(EngineNodes.sstables(node(), table)).as("a flush of other rows").isEmpty();
    session().execute(String.format(insert, 1, 1, "new"));
    flush();
    assertThat(EngineNodes.sstables(node(), table)).as("a flush of its row").isNotEmpty();
    assertThat(faulty().failures()).isEqualTo(failedBefore);
    requireAllMovedIn(ROWS + 1);
    assertThat(session().execute(select + "1 AND c = 1").one().getString(0)).isEqualTo("new");
  }

  /** Longer than a flush may stand still. */
  @Test
  void shouldWaitForTheSweepOfALargePartition() throws Exception {
    for (int c = 0; c < 300; c++) {
      session().execute("INSERT INTO k." + table + " (id, c, v) VALUES (1, " + c + ", 'v')");
    }
    flush();
    faulty().awaitWorking();
    fault("slow-walks");
    session().execute("DELETE FROM k." + table + " WHERE id = 1");
    flush();
    assertThat(EngineNodes.sstables(node(), table)).isEmpty();
    heal();
    assertThat(EngineNodes.count(session(), table)).isZero();
  }

  /** Of the rows that it writes, which lie in the engine. */
  private String createIndex() throws IOException {
    write(0, ROWS);
    flush();
    String index = "by_" + table;
    session().execute("CREATE INDEX " + index + " ON k." + table + " (v)");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(DriverException.class) // not built yet
        .until(() -> !byValue(1).isEmpty());
    requireAllMovedIn(ROWS);
    return index;
  }

  private List<Row> byValue(int id) {
    return session().execute("SELECT id FROM k." + table + " WHERE v = ?", "v" + id).all();
  }

  private long failedMoves() throws IOException {
    try (Stream<String> lines = Files.lines(node().log().path())) {
      return lines.filter(line -> line.contains("and faulty failed; tried again in")).count();
    }
  }

  private void awaitMoving() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> nodetool(node(), "compactionstats").contains(table));
  }
}
