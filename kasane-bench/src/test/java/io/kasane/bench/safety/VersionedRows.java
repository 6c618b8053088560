/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/**
 * A table and what it must hold: the version of each row that was acknowledged last. Its SSTables
 * are compacted on request only. Used by one thread.
 */
final class VersionedRows {
  static final String KEYSPACE = "k";

  private static final Duration MAX_RECOVERY = Duration.ofMinutes(2);
  private static final int PAYLOAD_WORDS = 40;

  private final FaultyNode node;
  private final String table;
  private final String options;
  private final Map<Integer, Integer> expected = new TreeMap<>();
  private int version;

  /**
   * Creates the table.
   *
   * @param options of Kasane's compaction strategy, as in a CQL map
   */
  VersionedRows(FaultyNode node, String table, String options) {
    this.node = node;
    this.table = table;
    this.options = options;
    node.session()
        .execute(
            "CREATE TABLE "
                + name()
                + " (id int PRIMARY KEY, version int, payload text) WITH compaction = {'class':"
                + " 'io.kasane.tier.HeatTieredCompactionStrategy', 'min_threshold': '32',"
                + " 'hot_min_threshold': '32', "
                + options
                + "}");
  }

  String table() {
    return table;
  }

  int count() {
    return expected.size();
  }

  /** Whether slow has all rows, and fast copies. */
  boolean isCache() {
    return options.contains("'tier_mode': 'cache'");
  }

  private String name() {
    return KEYSPACE + "." + table;
  }

  /** Writes the next version of some rows; what was not acknowledged fails. */
  VersionedRows write(int from, int to) {
    version++;
    for (int id = from; id < to; id++) {
      node.session()
          .execute(
              SimpleStatement.newInstance(
                  "INSERT INTO " + name() + " (id, version, payload) VALUES (?, ?, ?)",
                  id,
                  version,
                  payload(id, version)));
      expected.put(id, version);
    }
    return this;
  }

  private static String payload(int id, int version) {
    return (id + "/" + version + " ").repeat(PAYLOAD_WORDS);
  }

  /** Reads some rows one by one, which makes them hot; each must be right. */
  VersionedRows read(int from, int to) {
    for (int id = from; id < to; id++) {
      SimpleStatement read =
          SimpleStatement.newInstance("SELECT * FROM " + name() + " WHERE id = ?", id);
      Row row = node.session().execute(read).one();
      assertThat(row).as("row %d of %s", id, table).isNotNull();
      assertThat(row.getInt("version"))
          .as("version of row %d of %s", id, table)
          .isEqualTo(expected.get(id));
    }
    return this;
  }

  /** Reads some rows, which become hot within a second or so. */
  void readUntilHot(int from, int to) {
    Awaitility.await("rows of " + table + " are hot")
        .atMost(Duration.ofSeconds(30))
        .until(() -> read(from, to).viewed("hot_keys") >= to - from);
  }

  /** Scans the table, which makes no row hot: all rows must be there and right. */
  void requireAll(String after) {
    Map<Integer, Integer> found = new TreeMap<>();
    for (Row row : node.session().execute("SELECT * FROM " + name())) {
      int id = row.getInt("id");
      found.put(id, row.getInt("version"));
      assertThat(row.getString("payload"))
          .as("payload of row %d of %s after %s", id, table, after)
          .isEqualTo(payload(id, row.getInt("version")));
    }
    assertThat(found).as("%s after %s", table, after).isEqualTo(expected);
  }

  /** A number that {@code kasane_views.tables} says of the table. */
  long viewed(String column) {
    SimpleStatement look =
        SimpleStatement.newInstance(
            "SELECT "
                + column
                + " AS n FROM kasane_views.tables WHERE keyspace_name = ? AND table_name = ?",
            KEYSPACE,
            table);
    Object number = node.session().execute(look).one().getObject("n");
    return ((Number) number).longValue();
  }

  /** What was flushed must not be read from memory for ever. */
  void requireNotInMemory(int from, int to, String after) {
    long before = viewed("reads_memory");
    read(from, to);
    assertThat(viewed("reads_memory"))
        .as("reads of %s from memory, of rows that were flushed, after %s", table, after)
        .isEqualTo(before);
  }

  /** Reads some rows, which makes them hot, until fast serves each. */
  void awaitOnFast(int from, int to, String after) {
    Awaitility.await("rows of " + table + " are read from fast after " + after)
        .atMost(MAX_RECOVERY)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              long before = viewed("reads_fast");
              read(from, to);
              return viewed("reads_fast") == before + to - from;
            });
  }
}
