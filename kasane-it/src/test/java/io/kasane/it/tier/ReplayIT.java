/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A row of which the deletion has left the commit log, and which was purged, does not come back
 * when a node is killed and replays what the log still has of it.
 */
@Tag("node")
@ExtendWith(SharedNode.class)
class ReplayIT {
  private static final int KEPT = 20;
  private static final int VICTIM = 0;

  /** Near what the log takes at once. */
  private static final int FILL_BYTES = SharedNode.COMMIT_LOG_SEGMENT_BYTES * 7 / 16;

  /** The log has a segment ready ahead of the one that it writes. */
  private static final int MORE_THAN_TWO_SEGMENTS = 6;

  private final LocalNode node;
  private final CqlSession shared;

  ReplayIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.shared = session;
  }

  @Test
  void shouldNotBringBackWhatWasPurged() throws IOException {
    create(shared, node);
    purge(shared, node);
    node.kill9();
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      assertThat(ids(session, "other")).as("replayed").containsExactly(VICTIM);
      assertThat(ids(session, "hot")).doesNotContain(VICTIM).hasSize(KEPT);
    }
  }

  /** Each flush of the table goes to fast as a whole. */
  private static void create(CqlSession session, LocalNode node) {
    session.execute(
        "CREATE TABLE k.hot (id int PRIMARY KEY, v text) WITH gc_grace_seconds = 1"
            + " AND compaction = "
            + Tiered.strategy("placement", "fast-first", "enabled", "false"));
    session.execute("CREATE TABLE k.other (id int PRIMARY KEY)");
    session.execute("CREATE TABLE k.filler (id int PRIMARY KEY, v blob)");
    Tiered.awaitSchema(node);
  }

  private static void purge(CqlSession session, LocalNode node) throws IOException {
    session.execute("INSERT INTO k.other (id) VALUES (?)", VICTIM);
    for (int id = 0; id <= KEPT; id++) {
      session.execute("INSERT INTO k.hot (id, v) VALUES (?, ?)", id, "x".repeat(1_000 - id));
    }
    Tiered.flush(node, "hot");
    Set<Path> ofTheRow = log(node);

    fillLog(session);
    session.execute("DELETE FROM k.hot WHERE id = ?", VICTIM);
    Set<Path> ofTheDeletion = new HashSet<>(log(node));
    ofTheDeletion.removeAll(ofTheRow);
    fillLog(session);
    Tiered.flush(node, "hot", "filler");
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush("system"); // the node itself writes there
    }
    Awaitility.await("the deletion leaves the log")
        .until(() -> ofTheDeletion.stream().noneMatch(Files::exists));
    assertThat(log(node)).as("segments of the row").containsAnyElementsOf(ofTheRow);

    Tiered.awaitSecondsToPass();
    Tiered.compact(node, "hot");
    assertThat(new TableFiles(node, "hot").settled().keys().all())
        .as("purged")
        .isNotEmpty()
        .doesNotContain(Integer.toString(VICTIM));
  }

  private static void fillLog(CqlSession session) {
    for (int i = 0; i < MORE_THAN_TWO_SEGMENTS; i++) {
      session.execute(
          "INSERT INTO k.filler (id, v) VALUES (?, ?)", i, ByteBuffer.allocate(FILL_BYTES));
    }
  }

  private static Set<Path> log(LocalNode node) {
    return FilesBelow.of(node.settings().dir().resolve("commitlog"));
  }

  private static Set<Integer> ids(CqlSession session, String table) {
    Set<Integer> ids = new HashSet<>();
    for (Row row : session.execute("SELECT id FROM k." + table)) {
      ids.add(row.getInt("id"));
    }
    return ids;
  }
}
