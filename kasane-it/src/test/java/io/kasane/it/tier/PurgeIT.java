/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What is deleted from a hot partition, or expires in it, leaves both disks, as it leaves a table
 * that stock Cassandra compacts by size, though slow and fast SSTables are not merged otherwise.
 */
@Tag("node")
@ExtendWith(SharedNode.class)
class PurgeIT {
  private static final int PARTITIONS = 60;
  private static final int ROWS = 10;
  private static final int HOT = 7;
  private static final int FLUSHES = 16;

  /**
   * Less than the share of one flush in the hot shard: else what the last one deletes may stay, if
   * all before it was purged by then.
   */
  private static final String ONE_FLUSH = "0.05";

  private static final String STOCK = "stock";
  private static final List<String> MODES = List.of("tier", "cache");
  private static final List<String> TABLES = List.of("tier", "cache", STOCK);
  private static final List<String> DEATHS = List.of("deleted", "expired");

  private final LocalNode node;
  private final CqlSession session;

  PurgeIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @Test
  void shouldPurgeAsMuchAsStockCassandra() throws Exception {
    for (String death : DEATHS) {
      fill(death);
    }
    for (int flush = 1; flush <= FLUSHES; flush++) {
      for (String death : DEATHS) {
        die(death, flush);
      }
      Tiered.flush(node);
      requireAlike("deleted");
    }
    requirePurged();
  }

  private static String name(String death, String table) {
    return death + "_" + table;
  }

  /** The hot partition lies on slow, too: nobody knew that it is hot. */
  private void fill(String death) throws IOException {
    for (String table : TABLES) {
      session.execute(
          "CREATE TABLE k.%s (id int, c int, v text, PRIMARY KEY (id, c))"
                  .formatted(name(death, table))
              + " WITH gc_grace_seconds = 0 AND compaction = "
              + compaction(table, "cold", ""));
      Tiered.awaitSchema(node);
      for (int id = 0; id < PARTITIONS; id++) {
        for (int c = 0; c < ROWS; c++) {
          insert(name(death, table), id, c, "");
        }
      }
      Tiered.flush(node, name(death, table));
      session.execute(
          "ALTER TABLE k.%s WITH compaction = %s"
              .formatted(name(death, table), compaction(table, "hot", "%08x".formatted(HOT))));
    }
    Tiered.awaitSchema(node);
  }

  private String compaction(String table, String listName, String hotKeys) throws IOException {
    if (table.equals(STOCK)) {
      return "{'class': 'SizeTieredCompactionStrategy'}";
    }
    Path list = Files.writeString(SharedNode.keyLists(node).resolve(listName), hotKeys + "\n");
    return Tiered.strategy(
        "heat_policy",
        "listed",
        "heat_list",
        list.getFileName().toString(),
        "tombstone_threshold",
        ONE_FLUSH,
        "heat_period",
        "1s",
        "tier_mode",
        table);
  }

  private void insert(String table, int id, int c, String using) {
    session.execute(
        "INSERT INTO k.%s (id, c, v) VALUES (%d, %d, '%s')%s"
            .formatted(table, id, c, "x".repeat(200), using));
  }

  /** Ten rows of the hot partition die, and one stays. */
  private void die(String death, int flush) {
    for (String table : TABLES) {
      String name = name(death, table);
      int first = 1_000 * flush;
      for (int c = first; c < first + ROWS; c++) {
        if (death.equals("deleted")) {
          insert(name, HOT, c, "");
          session.execute("DELETE FROM k.%s WHERE id = %d AND c = %d".formatted(name, HOT, c));
        } else {
          insert(name, HOT, c, " USING TTL 1");
        }
      }
      insert(name, HOT, first + ROWS, "");
    }
  }

  private void requireAlike(String death) {
    Map<Integer, String> expected = hot(name(death, STOCK));
    for (String mode : MODES) {
      assertThat(hot(name(death, mode))).as(name(death, mode)).isEqualTo(expected);
    }
  }

  private Map<Integer, String> hot(String table) {
    Map<Integer, String> rows = new TreeMap<>();
    for (Row row : session.execute("SELECT c, v FROM k.%s WHERE id = %d".formatted(table, HOT))) {
      rows.put(row.getInt("c"), row.getString("v"));
    }
    return rows;
  }

  /**
   * What was compacted within the second in which it died stays until the next compaction, of stock
   * or of a twin; so flushes of live rows follow, which leave no such chance.
   */
  private void requirePurged() {
    Tiered.awaitSecondsToPass();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              flushLiveRow();
              Awaitility.await()
                  .atMost(Duration.ofMinutes(1))
                  .until(() -> pendingCompactions() == 0);
              Map<String, Long> stock = new TreeMap<>();
              DEATHS.forEach(death -> stock.put(death, deadRows(death, STOCK)));
              assertThat(deadRowsBeyond(stock)).as("dead rows, of stock %s", stock).isEmpty();
            });
    for (String death : DEATHS) {
      requireAlike(death);
      MODES.forEach(mode -> requireAll(name(death, mode)));
    }
  }

  private void flushLiveRow() throws IOException {
    for (String death : DEATHS) {
      for (String table : TABLES) {
        insert(name(death, table), HOT, 0, "");
      }
    }
    Tiered.flush(node);
  }

  /** The tables of which more is left than of their twins. */
  private Map<String, Long> deadRowsBeyond(Map<String, Long> stock) {
    Map<String, Long> beyond = new TreeMap<>();
    for (String death : DEATHS) {
      for (String mode : MODES) {
        long dead = deadRows(death, mode);
        if (dead > stock.get(death)) {
          beyond.put(name(death, mode), dead);
        }
      }
    }
    return beyond;
  }

  private long deadRows(String death, String table) {
    return new TableFiles(node, name(death, table)).settled().deadRows();
  }

  private void requireAll(String table) {
    assertThat(new TableFiles(node, table).fast()).as("fast SSTables of %s", table).isNotEmpty();
    Map<Integer, Integer> partitions = new TreeMap<>();
    session
        .execute("SELECT id FROM k." + table)
        .forEach(row -> partitions.merge(row.getInt("id"), 1, Integer::sum));
    assertThat(partitions).as(table).hasSize(PARTITIONS).containsEntry(HOT, ROWS + FLUSHES);
  }

  private long pendingCompactions() throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      return ((Number)
              jmx.attribute(
                  "org.apache.cassandra.metrics:type=Compaction,name=PendingTasks", "Value"))
          .longValue();
    }
  }
}
