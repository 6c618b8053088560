/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From stock's windows of time to Kasane's and back, with rows that expire and a kill between. */
@Tag("node")
@ExtendWith(SharedNode.class)
class WindowsIT {
  private static final String TABLE = "windows";
  private static final String[] OPTIONS = {
    "compaction_window_unit", "DAYS",
    "compaction_window_size", "1",
    "expired_sstable_check_frequency_seconds", "1"
  };
  private static final String STOCK =
      Tiered.map("org.apache.cassandra.db.compaction.TimeWindowCompactionStrategy", OPTIONS);

  private static final int PARTITIONS = 50;
  private static final int HOT = 5;
  private static final int SHORT_SECONDS = 20;
  private static final int LONG_SECONDS = 1_000_000;

  private final LocalNode node;
  private final CqlSession session;
  private final TableFiles files;

  WindowsIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
    this.files = new TableFiles(node, TABLE);
  }

  private String windows() throws IOException {
    Path list = SharedNode.keyLists(node).resolve("hot-in-windows");
    List<String> hot = new ArrayList<>();
    for (int k = 0; k < HOT; k++) {
      hot.add(String.format("%08x", k));
    }
    Files.write(list, hot);
    List<String> options = new ArrayList<>(List.of(OPTIONS));
    options.addAll(List.of("heat_policy", "listed", "heat_list", list.getFileName().toString()));
    return Tiered.strategy(options.toArray(String[]::new));
  }

  private void alter(CqlSession by, String compaction) {
    by.execute("ALTER TABLE k.windows WITH compaction = " + compaction);
  }

  /** Writes row {@code c} of each partition as on a day that is past. */
  private void day(int c, int daysAgo, int ttlSeconds) {
    PreparedStatement insert =
        session.prepare(
            "INSERT INTO k.windows (k, c, v) VALUES (?, ?, ?) USING TIMESTAMP ? AND TTL ?");
    long micros =
        TimeUnit.MILLISECONDS.toMicros(
            System.currentTimeMillis() - TimeUnit.DAYS.toMillis(daysAgo));
    for (int k = 0; k < PARTITIONS; k++) {
      session.execute(insert.bind(k, c, "v" + k + "-" + c, micros, ttlSeconds));
    }
    Tiered.flush(node, TABLE);
  }

  private static void requireRows(CqlSession by, String after, int... rows) {
    List<Integer> expected = new ArrayList<>();
    for (int c : rows) {
      expected.add(c);
    }
    for (int k = 0; k < PARTITIONS; k++) {
      List<Integer> seen = new ArrayList<>();
      for (Row row : by.execute("SELECT c, v FROM k.windows WHERE k = " + k)) {
        seen.add(row.getInt("c"));
        assertThat(row.getString("v")).isEqualTo("v" + k + "-" + row.getInt("c"));
      }
      assertThat(seen).as("rows of %d after %s", k, after).isEqualTo(expected);
    }
  }

  private void awaitOnSlow(int sstables) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              nodetool(
                  node, "enableautocompaction", Tiered.KEYSPACE, TABLE); // asks for what is due
              assertThat(files.slow()).hasSize(sstables);
            });
    files.settled();
  }

  private void awaitCopies(CqlSession by) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              long before = Tiered.viewed(by, TABLE, "reads_slow");
              for (int k = 0; k < HOT; k++) {
                by.execute("SELECT c FROM k.windows WHERE k = " + k);
              }
              assertThat(Tiered.viewed(by, TABLE, "reads_slow")).isEqualTo(before);
            });
  }

  @Test
  void shouldKeepWindowsApartAndLetThemExpire() throws Exception {
    session.execute(
        "CREATE TABLE k.windows (k int, c int, v text, PRIMARY KEY (k, c))"
            + " WITH gc_grace_seconds = 0 AND compaction = "
            + STOCK);
    Tiered.awaitSchema(node);
    day(1, 9, SHORT_SECONDS);
    day(2, 9, SHORT_SECONDS);
    day(3, 8, LONG_SECONDS);
    day(4, 8, LONG_SECONDS);
    alter(session, windows());
    day(5, 7, LONG_SECONDS);
    day(6, 7, LONG_SECONDS);
    day(7, 0, LONG_SECONDS);
    awaitCopies(session);
    assertThat(files.fast()).isNotEmpty();

    // The copies have rows of the day that expires, and of all others.
    awaitOnSlow(3);
    requireRows(session, "a window has expired", 3, 4, 5, 6, 7);
    assertThat(Tiered.viewed(session, TABLE, "fast_only_bytes")).isZero();

    Tiered.compact(node, TABLE);
    assertThat(files.settled().slow()).as("after a compaction of all").hasSize(3);
    node.kill9();
    node.start().waitUntilReady();
    try (CqlSession again = node.connect()) {
      requireRows(again, "a kill", 3, 4, 5, 6, 7);
      awaitCopies(again);
      Awaitility.await()
          .untilAsserted(() -> assertThat(Tiered.viewed(again, TABLE, "fast_only_bytes")).isZero());
      assertThat(files.settled().slow()).as("no window was mixed with others").hasSize(3);
      alter(again, STOCK);
      Tiered.flush(node, TABLE);
      requireRows(again, "the way back", 3, 4, 5, 6, 7);
    }
  }

  @Test
  void shouldCopyWhatNobodyHasReadYetWhereNewRowsAreRead() {
    session.execute(
        "CREATE TABLE k.newest (k int PRIMARY KEY, v text) WITH compaction = "
            + Tiered.strategy(OPTIONS));
    Tiered.awaitSchema(node);
    newest(0);
    AtomicInteger rounds = new AtomicInteger();
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              int before = PARTITIONS * rounds.getAndIncrement();
              newest(before + PARTITIONS);
              long slow = Tiered.viewed(session, "newest", "reads_slow");
              int unread = before + PARTITIONS - 1;
              assertThat(read(unread)).isEqualTo("v" + unread);
              assertThat(Tiered.viewed(session, "newest", "reads_slow")).isEqualTo(slow);
            });
    assertThat(rounds).as("rounds, as at first nothing is known").hasValueGreaterThan(1);
  }

  /** Writes partitions, reads all but a fifth of them, and has them flushed. */
  private void newest(int first) {
    for (int k = first; k < first + PARTITIONS; k++) {
      session.execute("INSERT INTO k.newest (k, v) VALUES (" + k + ", 'v" + k + "')");
    }
    for (int i = 0; i < 3; i++) {
      for (int k = first; k < first + 4 * PARTITIONS / 5; k++) {
        read(k);
      }
    }
    Tiered.flush(node, "newest");
  }

  private String read(int k) {
    return session.execute("SELECT v FROM k.newest WHERE k = " + k).one().getString(0);
  }
}
