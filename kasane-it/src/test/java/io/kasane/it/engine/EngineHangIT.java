/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.node.NodeSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Reads that hang in an engine hold up no other table, and those that are slow do not hang.
 *
 * <p>{@code -Dkasane.hang.rows=6000} has more written meanwhile than the heap could keep.
 */
@Tag("node")
class EngineHangIT extends FaultyTables {
  /** More than may read at a time. */
  private static final int READS = 32;

  private static final int LARGE_ROWS = Integer.getInteger("kasane.hang.rows", 300);
  private static final int LARGE_ROW_BYTES = 100_000;

  @Override
  void set(NodeSettings.Builder settings) {
    settings
        .yaml("memtable_heap_space", "16MiB")
        .yaml("materialized_views_enabled", true)
        .yaml("native_transport_timeout", "60s");
  }

  private void createIndex() {
    session().execute("CREATE INDEX " + table + "_v ON k." + table + " (v)");
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(DriverException.class) // while it is built
        .untilAsserted(() -> assertThat(byIndex(7)).isOne());
  }

  private int byIndex(int id) {
    return session().execute("SELECT id FROM k." + table + " WHERE v = 'v" + id + "'").all().size();
  }

  private void queryByIndexInVain() {
    for (int i = 0; i < READS; i++) {
      session().executeAsync("SELECT id FROM k." + table + " WHERE v = 'v" + i + "'");
    }
  }

  /** Cassandra frees memtables of all tables on one thread, which waits for reads. */
  @Test
  void shouldFreeMemoryWhileReadsHang() throws Exception {
    write(0, ROWS);
    flush();
    requireAllMovedIn(ROWS);
    fault("hang-reads");
    for (int i = 0; i < READS; i++) {
      session().executeAsync("SELECT * FROM k." + table + " WHERE id = " + i);
    }
    String another = table + "_other";
    EngineNodes.createTable(session(), another, "default");
    timeouts("1000", "1000"); // memory waits for reads that nobody waits for any more
    try {
      for (String each : List.of(another, table)) {
        assertThat(CompletableFuture.runAsync(() -> writeMuch(each)))
            .as("writes to %s", each)
            .succeedsWithin(PATIENCE.multipliedBy(1 + LARGE_ROWS / 300));
      }
    } finally {
      timeouts("5000", "10000");
    }
    session().execute("TRUNCATE k." + table); // or it would be moved into the engine
    requireAll(0);
  }

  /** Several times what memtables may take. */
  private void writeMuch(String to) {
    PreparedStatement insert =
        session().prepare("INSERT INTO k." + to + " (id, c, v) VALUES (?, 8, ?)");
    String value = "x".repeat(LARGE_ROW_BYTES);
    for (int id = 0; id < LARGE_ROWS; id++) {
      session().execute(insert.bind(id, value));
    }
  }

  /** Cassandra lets such a query keep its order of writes, for which all flushes wait. */
  @Test
  void shouldFlushOtherTablesWhileQueriesByAnIndexHang() throws Exception {
    write(0, ROWS);
    createIndex();
    flush();
    requireAllMovedIn(ROWS);
    fault("hang-reads");
    queryByIndexInVain();
    requireOthersGoOn();
    write(ROWS, 2 * ROWS);
    assertThat(CompletableFuture.runAsync(this::flush)).succeedsWithin(SOON);
    requireAllMovedIn(2 * ROWS);
    for (int id = 0; id < 2 * ROWS; id++) {
      assertThat(byIndex(id)).as("%d", id).isOne();
    }
  }

  /** The index itself is in SSTables. */
  @Test
  void shouldFlushOtherTablesWhileTheRowsOfAnIndexHang() throws Exception {
    write(0, ROWS);
    flush();
    requireAllMovedIn(ROWS);
    fault("throw-writes");
    createIndex();
    fault("hang-reads");
    queryByIndexInVain();
    requireOthersGoOn();
    requireAllMovedIn(ROWS);
  }

  /** A write looks for the rows of its view while it keeps Cassandra's order of writes. */
  @Test
  void shouldFlushOtherTablesWhileAViewLooksForItsRows() throws Exception {
    write(0, ROWS);
    flush();
    requireAllMovedIn(ROWS);
    fault("hang-walks"); // so that the table's rows stay in the engine
    session()
        .execute(
            "CREATE MATERIALIZED VIEW k."
                + table
                + "_view AS SELECT * FROM k."
                + table
                + " WHERE v IS NOT NULL AND id IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, id, c)");
    fault("hang");
    for (int id = 0; id < READS; id++) {
      int row = id % 7; // one that is there: some are done once the engine answers
      session()
          .executeAsync("UPDATE k." + table + " SET v = 'w' WHERE id = " + id + " AND c = " + row);
    }
    requireOthersGoOn();
    requireAll(ROWS);
    dropView();
  }

  /** Where the build of a view has failed, Cassandra fails the next change of the schema. */
  private void dropView() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(
            () -> session().execute("DROP MATERIALIZED VIEW IF EXISTS k." + table + "_view"));
  }

  @Test
  void shouldKeepReadersOfOtherTablesWhileReadsHang() throws Exception {
    write(0, ROWS);
    flush();
    fault("hang-reads");
    for (int i = 0; i < READS; i++) {
      session().executeAsync("SELECT * FROM k." + table + " WHERE id = " + i);
    }
    for (int i = 0; i < 5; i++) {
      requireOthersGoOn();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () -> session().execute("SELECT * FROM k." + table + " WHERE id = 1"))
                    .isInstanceOf(DriverException.class));
    requireOthersGoOn();
    write(ROWS, 2 * ROWS);
    flush();
    requireAllMovedIn(2 * ROWS);
  }

  /** A scan is long for what it passes over, and each of its steps is short. */
  @Test
  void shouldNotTakeALongScanForOneThatHangs() throws Exception {
    write(0, ROWS);
    flush();
    timeouts("60000", "60000"); // on a busy machine its steps take longer than five seconds
    try {
      fault("slow-walks");
      CompletableFuture<AsyncResultSet> scan = scanForNothing();
      int reads = 0;
      while (!scan.isDone()) {
        assertThat(session().execute("SELECT * FROM k." + table + " WHERE id = 1").all())
            .hasSize(1);
        reads++;
      }
      assertThat(scan.join().one()).isNull();
      assertThat(reads).as("reads beside it").isPositive();
    } finally {
      timeouts("5000", "10000");
    }
  }

  @Test
  void shouldEndAScanThatNobodyWaitsForAnyMore() throws Exception {
    write(0, 3 * ROWS);
    flush();
    timeouts("1000", "1000");
    try {
      fault("slow-walks");
      assertThatThrownBy(() -> scanForNothing().join()).hasCauseInstanceOf(DriverException.class);
      Awaitility.await()
          .atMost(Duration.ofSeconds(3))
          .untilAsserted(
              () ->
                  assertThat(
                          session()
                              .execute("SELECT readers FROM kasane_views.engines")
                              .one()
                              .getInt(0))
                      .isZero());
    } finally {
      timeouts("5000", "10000");
    }
  }

  /** In a node that coordinates its own read, that of reads ends a scan. */
  private void timeouts(String readMillis, String rangeMillis) {
    nodetool(node(), "settimeout", "read", readMillis);
    nodetool(node(), "settimeout", "range", rangeMillis);
  }

  /** No partition has such a row. */
  private CompletableFuture<AsyncResultSet> scanForNothing() {
    return session()
        .executeAsync("SELECT * FROM k." + table + " WHERE c = 99 ALLOW FILTERING")
        .toCompletableFuture();
  }
}
