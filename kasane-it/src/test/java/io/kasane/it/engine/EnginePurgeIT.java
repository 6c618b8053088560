/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** Tombstones leave an engine, but not before the commit log has let go of what they delete. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EnginePurgeIT {
  private static final int ROWS = 100;
  private static final int GRACE_SECONDS = 2;

  private LocalNode node;
  private CqlSession session;

  @BeforeAll
  void start(@TempDir Path dir) {
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("700m")
                        .engine("lsm")
                        .syncEveryWrite()
                        .yaml("commitlog_segment_size", "1MiB")
                        .jvmFlag("-Dkasane.engine_purge_pause_millis=500"))
            .build()
            .node(1);
    session = node.start().waitUntilReady().connect();
    EngineNodes.createKeyspace(session, 1);
    EngineNodes.createTable(session, "filler", "lsm");
  }

  private void createTable(String table) {
    EngineNodes.createTable(session, table, "lmdb");
    session.execute("ALTER TABLE k." + table + " WITH gc_grace_seconds = " + GRACE_SECONDS);
  }

  @AfterAll
  void stop() {
    session.closeAsync();
    node.kill9();
  }

  private void killAndStart() {
    session.closeAsync();
    node.kill9();
    session = node.start().waitUntilReady().connect();
  }

  /** The last one: it kills the node, and keeps the log of all tables meanwhile. */
  @Test
  @Order(Integer.MAX_VALUE)
  void shouldPurgeWhenNothingCanComeBack() throws IOException {
    createTable("t");
    EngineNodes.createTable(session, "never_flushed", "lsm");
    EngineNodes.write(session, "never_flushed", 0, 1);
    EngineNodes.write(session, "t", 0, ROWS); // in the same segment, which therefore stays
    EngineNodes.flush(node, "t");
    fillSegments();
    deleteAll("t");
    EngineNodes.flush(node, "t");
    fillSegments(); // those with the deletions are gone

    // Long enough for ten walks, had they been allowed to.
    long began = System.nanoTime();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> System.nanoTime() - began > Duration.ofSeconds(GRACE_SECONDS + 6).toNanos());
    assertThat(entries("t")).isGreaterThanOrEqualTo(ROWS);
    killAndStart();
    assertThat(EngineNodes.count(session, "t")).as("rows after a replay").isZero();

    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              flushOthers();
              EngineNodes.flush(node);
              fillSegments();
              assertThat(entries("t")).isLessThan(10);
            });
    killAndStart();
    assertThat(EngineNodes.count(session, "t")).isZero();
    assertThat(node.log().errors()).isEmpty();
  }

  /** What waits in memory is as old as can be, and of other partitions but for one. */
  @Test
  void shouldPurgePartitionsThatHaveNothingOldElsewhere() throws Exception {
    createTable("waits");
    EngineNodes.write(session, "waits", 0, ROWS);
    deleteAll("waits");
    EngineNodes.flush(node, "waits");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(entries("waits")).isGreaterThanOrEqualTo(ROWS));
    durable(false); // else it would keep a segment of the log, and nothing be purged for that
    session.execute("INSERT INTO k.waits (id, c, v) VALUES (-1, 0, 'old') USING TIMESTAMP 1");
    session.execute("INSERT INTO k.waits (id, c, v) VALUES (0, 0, 'deleted') USING TIMESTAMP 1");
    durable(true);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(
            () -> {
              flushOthers();
              fillSegments();
              assertThat(entries("waits")).isLessThan(10);
            });
    assertThat(session.execute("SELECT v FROM k.waits").all())
        .extracting(row -> row.getString(0))
        .containsExactly("old");
    EngineNodes.flush(node, "waits");
    assertThat(EngineNodes.count(session, "waits")).isOne();
  }

  private void durable(boolean isDurable) {
    session.execute("ALTER KEYSPACE k WITH durable_writes = " + isDurable);
  }

  /** Cassandra's own tables, to which it writes at any time, which keeps a segment. */
  private void flushOthers() throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      for (String keyspace : List.of("system", "system_schema", "system_auth")) {
        jmx.flush(keyspace);
      }
    }
  }

  @Test
  void shouldSayOnceThatATableIsNotPurged() throws IOException {
    createTable("purged");
    for (String table : List.of("one", "two")) { // one is come by again until two is
      EngineNodes.createTable(session, table, "lmdb");
      session.execute(
          "ALTER TABLE k."
              + table
              + " WITH compaction = {'class': 'SizeTieredCompactionStrategy',"
              + " 'only_purge_repaired_tombstones': true}");
      EngineNodes.write(session, table, 0, 1);
      EngineNodes.flush(node, table);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !warnings(table).isEmpty());
    }
    assertThat(warnings("one")).hasSize(1);
    assertThat(warnings("purged")).isEmpty();
  }

  private List<String> warnings(String table) throws IOException {
    try (Stream<String> lines = Files.lines(node.log().path())) {
      return lines
          .filter(line -> line.contains("only_purge_repaired_tombstones"))
          .filter(line -> line.contains("WARN") && line.contains("k." + table + " "))
          .toList();
    }
  }

  private void deleteAll(String table) {
    for (int id = 0; id < ROWS; id++) {
      session.execute("DELETE FROM k." + table + " WHERE id = ? AND c = ?", id, id % 7);
    }
  }

  /** A few segments of the commit log, of which nothing is needed any more. */
  private void fillSegments() {
    String text = "x".repeat(100_000);
    for (int id = 0; id < 30; id++) {
      session.execute("INSERT INTO k.filler (id, c, v) VALUES (?, 0, ?)", id, text);
    }
    EngineNodes.flush(node, "filler");
  }

  private long entries(String table) {
    return session
        .execute(
            "SELECT entry_count FROM kasane_views.engine_tables WHERE keyspace_name = 'k' AND"
                + " table_name = ?",
            table)
        .one()
        .getLong(0);
  }
}
