/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.node.LocalNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;

/**
 * Tables of Kasane and a table of stock Cassandra that are fed the same writes, with the same
 * timestamps, and must answer alike.
 */
final class TwinTables {
  static final String TWIN = "twin";

  /** Lets the driver choose. */
  private static final Node ANY = null;

  private static final int PARTITIONS = 150;
  private static final int ROWS = 24;
  private static final int SHORT_LIVED_FROM = 1_000;
  private static final long SHORT_LIFE_MILLIS = 1_000;
  private static final String ALL_COLUMNS =
      "id, c, s, v, m, l, writetime(v) AS v_at, writetime(s) AS s_at";

  private final List<String> tables;
  private final CqlSession session;
  private final CqlSession twin;
  private final SplittableRandom random;
  private long timestamp = 1_000_000;
  private long lastShortLivedMillis;

  TwinTables(List<String> tables, CqlSession session, CqlSession twin, long seed) {
    this.tables = tables;
    this.session = session;
    this.twin = twin;
    this.random = new SplittableRandom(seed);
  }

  static String columns() {
    return "(id int, c int, s text STATIC, v text, m map<int, text>, l set<int>,"
        + " PRIMARY KEY (id, c))";
  }

  /** Writes to all tables; the partitions of small ids get most. */
  void write(int operations, ConsistencyLevel consistency) {
    for (int i = 0; i < operations; i++) {
      String statement = nextWrite();
      tables.forEach(
          table ->
              session.execute(
                  SimpleStatement.newInstance(on(table, statement))
                      .setConsistencyLevel(consistency)));
      twin.execute(on(TWIN, statement));
    }
  }

  private static String on(String table, String statement) {
    return statement.replace("TABLE", Tiered.KEYSPACE + "." + table);
  }

  private String nextWrite() {
    int id = nextId();
    int c = random.nextInt(ROWS);
    String at = " USING TIMESTAMP " + ++timestamp;
    String where = " WHERE id = " + id;
    String row = where + " AND c = " + c;
    String text = "'" + timestamp + "-" + "x".repeat(random.nextInt(60)) + "'";
    int kind = random.nextInt(100);
    if (kind < 45) {
      return insert(id, c, text) + at;
    } else if (kind < 55) {
      return "UPDATE TABLE" + at + " SET m[" + random.nextInt(4) + "] = " + text + row;
    } else if (kind < 63) {
      return "UPDATE TABLE" + at + " SET l = l + {" + random.nextInt(9) + "}" + row;
    } else if (kind < 68) {
      return "UPDATE TABLE" + at + " SET s = " + text + where;
    } else if (kind < 73) {
      return "UPDATE TABLE" + at + " SET v = null, m = {1: " + text + "}" + row;
    } else if (kind < 78) {
      return "DELETE m[" + random.nextInt(4) + "] FROM TABLE" + at + row;
    } else if (kind < 86) {
      return "DELETE FROM TABLE" + at + row;
    } else if (kind < 92) {
      return "DELETE FROM TABLE" + at + where + " AND c > " + c + " AND c <= " + (c + 5);
    } else if (kind < 94) {
      return "DELETE FROM TABLE" + at + where;
    } else if (kind < 97) {
      return insert(id, c, text) + at + " AND TTL 86400";
    }
    lastShortLivedMillis = System.currentTimeMillis();
    int other = SHORT_LIVED_FROM + random.nextInt(9);
    return insert(other, c, text) + at + " AND TTL " + SHORT_LIFE_MILLIS / 1_000;
  }

  private static String insert(int id, int c, String text) {
    return "INSERT INTO TABLE (id, c, v) VALUES (" + id + ", " + c + ", " + text + ")";
  }

  private int nextId() {
    double at = random.nextDouble();
    return (int) (PARTITIONS * at * at * at);
  }

  /** Reads partitions, slices of them in both directions, and pages, mostly of small ids. */
  void read(int reads) {
    for (int i = 0; i < reads; i++) {
      int id = nextId();
      int from = random.nextInt(ROWS);
      String query =
          switch (random.nextInt(4)) {
            case 0 -> " WHERE id = " + id;
            case 1 -> " WHERE id = " + id + " AND c >= " + from + " LIMIT 3";
            case 2 -> " WHERE id = " + id + " AND c < " + from + " ORDER BY c DESC LIMIT 4";
            default -> " WHERE id = " + id + " AND c = " + from;
          };
      List<String> expected = answers(twin, ANY, TWIN, query, DefaultConsistencyLevel.ONE);
      for (String table : tables) {
        assertThat(answers(session, ANY, table, query, DefaultConsistencyLevel.QUORUM))
            .as("%s%s", table, query)
            .isEqualTo(expected);
      }
    }
  }

  /** All rows of the twin, in the order of a scan. */
  List<String> expected() {
    Awaitility.await()
        .until(() -> System.currentTimeMillis() > lastShortLivedMillis + 2 * SHORT_LIFE_MILLIS);
    return answers(twin, ANY, TWIN, "", DefaultConsistencyLevel.ONE);
  }

  /** Fails unless a scan of each table says what the twin's says. */
  void requireAlike(String after, ConsistencyLevel consistency) {
    List<String> expected = expected();
    tables.forEach(table -> requireRows(session, table, expected, after, consistency));
  }

  /** The same of the rows that a node holds itself. */
  void requireAlikeOn(LocalNode node, String after) {
    requireOn(node, expected(), after);
  }

  /** Fails unless the rows that a node holds itself are the expected ones. */
  void requireOn(LocalNode node, List<String> expected, String after) {
    Node coordinator = Tiered.coordinator(session, node);
    for (String table : tables) {
      assertThat(answers(session, coordinator, table, "", NodeLocal.INSTANCE))
          .as("a scan of %s on %s after %s", table, node, after)
          .isEqualTo(expected);
    }
  }

  static void requireRows(
      CqlSession over,
      String table,
      List<String> expected,
      String after,
      ConsistencyLevel consistency) {
    assertThat(answers(over, ANY, table, "", consistency))
        .as("a scan of %s after %s", table, after)
        .isEqualTo(expected);
  }

  private static List<String> answers(
      CqlSession over, Node coordinator, String table, String query, ConsistencyLevel consistency) {
    List<String> rows = new ArrayList<>();
    SimpleStatement statement =
        SimpleStatement.newInstance(on(table, "SELECT " + ALL_COLUMNS + " FROM TABLE" + query))
            .setPageSize(37)
            .setTimeout(Duration.ofSeconds(20))
            .setNode(coordinator)
            .setConsistencyLevel(consistency);
    for (Row row : over.execute(statement)) {
      StringBuilder text = new StringBuilder();
      for (ColumnDefinition column : row.getColumnDefinitions()) {
        text.append(column.getName()).append('=').append(row.getObject(column.getName()));
        text.append(' ');
      }
      rows.add(text.toString());
    }
    return rows;
  }
}
