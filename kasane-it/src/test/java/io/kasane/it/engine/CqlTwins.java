/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * Tables that differ in their engines only, told the same in random CQL with the same time stamps,
 * and asked the same: the answers of the first are what the others must say.
 */
final class CqlTwins {
  static final String KEYSPACE = "twins";

  private static final int PARTITIONS = 40;
  private static final int ROWS = 12;
  private static final int VALUES = 9;

  /** Above these, rows are written conditionally: by time stamps that Cassandra chooses. */
  private static final int CONDITIONAL_FROM = 1_000;

  /**
   * Above these, rows live shortly. Whether a row is seen whose INSERT has expired, and of which
   * only a column lives that is not asked for, depends in Cassandra on what was flushed together.
   */
  private static final int SHORT_LIVED_FROM = 2_000;

  private static final long SHORT_LIFE_MILLIS = 1_000;
  private static final int EXTRA_COLUMNS = 3;

  private final List<String> engines;
  private final SplittableRandom random;
  private final OddRows odds;
  private final TreeSet<Integer> extraColumns = new TreeSet<>();
  private CqlSession session;
  private UnaryOperator<SimpleStatement> how = UnaryOperator.identity();
  private int lastKind = 999;
  private boolean isIndexAsked = true;
  private long lastMicros;
  private long lastShortLivedMillis;
  private long statements;

  /**
   * Tables.
   *
   * @param engines names of memtables; the first is what the others are compared with
   */
  CqlTwins(List<String> engines, long seed) {
    this.engines = engines;
    this.random = new SplittableRandom(seed);
    this.odds = new OddRows(random);
  }

  void use(CqlSession open) {
    session = open;
  }

  /** Says to whom statements go from now on, and at which consistency. */
  void use(UnaryOperator<SimpleStatement> change) {
    how = change;
  }

  /**
   * For many nodes: a write that is late on one would be there again after a TRUNCATE, and not all
   * know of an ALTER at once.
   */
  CqlTwins withRowsOnly() {
    lastKind = 995;
    return this;
  }

  /**
   * After a cleanup, which hides entries of Cassandra's own index where rows come back as they
   * were: indexes are asked by {@link #requireIndexOf} only.
   */
  void withoutIndex() {
    isIndexAsked = false;
  }

  long statements() {
    return statements;
  }

  void create(int replicas) {
    tell(TwinSchema.keyspace(replicas));
    tell(TwinSchema.TYPE);
    engines.forEach(engine -> TwinSchema.tables(engine).forEach(this::tell));
  }

  private void tell(String cql) {
    session.execute(how.apply(SimpleStatement.newInstance(cql)));
  }

  /** Adds or drops a column. */
  void alterAll() {
    tellAll(alter());
  }

  List<String> tables() {
    List<String> tables = new ArrayList<>();
    for (String engine : engines) {
      tables.add("rows_" + engine);
      tables.add("counts_" + engine);
      tables.add("odds_" + engine);
    }
    return tables;
  }

  /** Says one random statement to all tables, and compares what they answer, if anything. */
  void step() {
    statements++;
    int kind = random.nextInt(lastKind + 1);
    if (kind < 640) {
      tellAll(write());
    } else if (kind < 700) {
      tellAll(conditional());
    } else if (kind < 740) {
      tellAll(batch());
    } else if (kind < 996) {
      askAll(query());
    } else if (kind < 998) {
      alterAll();
    } else if (kind == 998) {
      askAll(new Query("SELECT COUNT(*) FROM ROWS", 5000));
    } else if (random.nextInt(6) == 0) {
      tellAll("TRUNCATE ROWS");
    }
  }

  private String write() {
    int id = id();
    String row = " WHERE id = " + id + " AND c = " + c() + " AND d = '" + d() + "'";
    String partition = " WHERE id = " + id;
    String at = " USING TIMESTAMP " + micros();
    return switch (random.nextInt(22)) {
      case 0, 1, 2, 3 -> insert(id, at);
      case 4 -> insert(id, at + " AND TTL 86400");
      case 5 -> "UPDATE ROWS" + at + " SET v = " + v() + ", t = '" + text() + "'" + row;
      case 6 -> "UPDATE ROWS" + at + " SET m[" + random.nextInt(4) + "] = '" + text() + "'" + row;
      case 7 -> "UPDATE ROWS" + at + " SET m = {1: 'a', 2: '" + text() + "'}" + row;
      case 8 -> "UPDATE ROWS" + at + " SET l = l + [" + v() + "], e = e + {" + v() + "}" + row;
      case 9 -> "UPDATE ROWS" + at + " SET e = e - {" + v() + "}, u.a = " + v() + row;
      case 10 -> "UPDATE ROWS" + at + " SET u = {a: " + v() + ", b: '" + text() + "'}" + row;
      case 11 -> "UPDATE ROWS" + at + " SET s = '" + text() + "', sm['k'] = " + v() + partition;
      case 12 -> "DELETE v, t, m[1] FROM ROWS" + at + row;
      case 13 -> "DELETE FROM ROWS" + at + row;
      case 14 -> "DELETE FROM ROWS" + at + partition + " AND c " + comparison() + " " + c();
      case 15 ->
          "DELETE FROM ROWS" + at + partition + " AND c = " + c() + " AND d >= '" + d() + "'";
      case 16 -> random.nextInt(4) > 0 ? insert(id, at) : "DELETE FROM ROWS" + at + partition;
      case 17 -> "DELETE s FROM ROWS" + at + partition;
      case 18 -> extraColumns.isEmpty() ? insert(id, at) : extra(row, at);
      case 19, 20 -> odds.write(micros());
      default -> "UPDATE COUNTS SET n = n + " + (v() - 4) + " WHERE id = " + id + " AND c = " + c();
    };
  }

  private String insert(int id, String using) {
    return "INSERT INTO ROWS (id, c, d, v, t, f) VALUES (%d, %d, '%s', %d, '%s', {a: %d, b: '%s'})"
            .formatted(id, c(), d(), v(), text(), v(), text())
        + using;
  }

  /** Rows that live for a second; {@link #scan} is to come before any other statement. */
  void writeShortLived() {
    for (int i = 0; i < 9; i++) {
      int id = SHORT_LIVED_FROM + random.nextInt(9);
      tellAll(insert(id, " USING TIMESTAMP " + micros() + " AND TTL 1"));
    }
    lastShortLivedMillis = System.currentTimeMillis();
  }

  private String extra(String row, String at) {
    int column = extraColumns.first();
    return "UPDATE ROWS" + at + " SET x" + column + " = " + v() + row;
  }

  private String conditional() {
    int id = CONDITIONAL_FROM + random.nextInt(9);
    String row = " WHERE id = " + id + " AND c = " + c() + " AND d = '" + d() + "'";
    return switch (random.nextInt(4)) {
      case 0 ->
          "INSERT INTO ROWS (id, c, d, v) VALUES (%d, %d, '%s', %d) IF NOT EXISTS"
              .formatted(id, c(), d(), v());
      case 1 -> "UPDATE ROWS SET t = '" + text() + "'" + row + " IF v = " + v();
      case 2 -> "UPDATE ROWS SET v = " + v() + row + " IF EXISTS";
      default -> "DELETE FROM ROWS" + row + " IF EXISTS";
    };
  }

  private String batch() {
    String at = "BEGIN BATCH USING TIMESTAMP " + micros() + " ";
    return at
        + insert(id(), "")
        + "; UPDATE ROWS SET s = '"
        + text()
        + "' WHERE id = "
        + id()
        + "; DELETE FROM ROWS WHERE id = "
        + id()
        + " AND c = "
        + c()
        + "; APPLY BATCH";
  }

  private String alter() {
    int column = random.nextInt(EXTRA_COLUMNS);
    if (extraColumns.remove(column)) {
      return "ALTER TABLE ROWS DROP x" + column + " USING TIMESTAMP " + micros();
    }
    extraColumns.add(column);
    return "ALTER TABLE ROWS ADD x" + column + " int";
  }

  private record Query(String cql, int pageSize) {}

  private Query query() {
    int id = id();
    String columns = "SELECT id, c, d, s, sm, v, t, m, l, e, f, u";
    String all = columns + " FROM ROWS"; // those of conditional writes have their own time stamps
    String of = columns + ", writetime(v) AS v_at FROM ROWS WHERE id = " + id;
    String cql =
        switch (random.nextInt(15)) {
          case 0 -> of;
          case 1 -> of + " AND c = " + c() + " AND d = '" + d() + "'";
          case 2 -> of + " AND c " + comparison() + " " + c() + " LIMIT 5";
          case 3 -> of + " AND c >= " + c() + " ORDER BY c ASC, d DESC LIMIT 7";
          case 4 -> of + " AND c IN (" + c() + ", " + c() + ") ORDER BY c ASC, d DESC";
          case 5 -> "SELECT DISTINCT id, s FROM ROWS WHERE id = " + id;
          case 6 -> all + " WHERE token(id) > " + random.nextLong() + " LIMIT 30";
          case 7 -> all + " WHERE token(id) <= " + random.nextLong() + " LIMIT 30";
          case 8 -> isIndexAsked ? "SELECT id, c, d, v, s FROM ROWS WHERE v = " + v() : all;
          case 9 -> "SELECT id, c, n FROM COUNTS WHERE id = " + id;
          case 10 -> of + " AND (c, d) > (" + c() + ", '" + d() + "') LIMIT 4";
          case 11 -> of + " PER PARTITION LIMIT 2";
          case 12 ->
              "SELECT id, c, d, v, t FROM ROWS WHERE id = "
                  + (CONDITIONAL_FROM + random.nextInt(9));
          case 13 -> odds.query(isIndexAsked);
          default -> of + " AND c = " + c() + " AND d > '" + d() + "' ORDER BY c ASC, d DESC";
        };
    return new Query(cql, 1 + random.nextInt(50));
  }

  /** All rows of each table; a second after the last short life. */
  void scan() {
    awaitShortLives();
    scans().forEach(this::askAll);
  }

  /** The answers to the same of one engine's tables. */
  List<String> scan(String engine) {
    awaitShortLives();
    return scans().stream().flatMap(query -> answer(query, engine).stream()).toList();
  }

  /** What one engine's index answers is what the rows of its table say. */
  void requireIndexOf(String engine) {
    Query all = new Query("SELECT id, c, d, v FROM ROWS", 100);
    for (int v = 0; v < VALUES; v++) {
      List<Row> expected = new ArrayList<>();
      for (Row row : ask(all, engine)) {
        if (!row.isNull("v") && row.getInt("v") == v) {
          expected.add(row);
        }
      }
      Query query = byIndex(v);
      RowTexts.requireAlike(
          engine + ": " + query.cql, answer(query, engine), RowTexts.of(expected));
    }
  }

  private static Query byIndex(int value) {
    return new Query("SELECT id, c, d, v FROM ROWS WHERE v = " + value, 100);
  }

  private void awaitShortLives() {
    while (System.currentTimeMillis() <= lastShortLivedMillis + 2 * SHORT_LIFE_MILLIS) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private List<Query> scans() {
    StringBuilder extras = new StringBuilder();
    extraColumns.forEach(column -> extras.append(", x").append(column));
    String columns = "id, c, d, s, sm, v, t, m, l, e, f, u" + extras;
    List<Query> all = new ArrayList<>();
    all.add(new Query("SELECT " + columns + " FROM ROWS", 100));
    all.add(new Query("SELECT * FROM COUNTS", 100));
    all.add(new Query("SELECT * FROM ODDS", 100));
    for (int v = 0; v < VALUES && isIndexAsked; v++) {
      all.add(byIndex(v));
    }
    return all;
  }

  private int id() {
    double at = random.nextDouble();
    return (int) (PARTITIONS * at * at);
  }

  private int c() {
    return random.nextInt(ROWS);
  }

  private String d() {
    return String.valueOf((char) ('a' + random.nextInt(3)));
  }

  private int v() {
    return random.nextInt(VALUES);
  }

  private String text() {
    int length = random.nextInt(200) == 0 ? 20_000 : random.nextInt(40);
    return statements + "x".repeat(length);
  }

  private String comparison() {
    return List.of("<", "<=", ">", ">=").get(random.nextInt(4));
  }

  private long micros() {
    lastMicros = Math.max(lastMicros + 1, System.currentTimeMillis() * 1_000);
    return lastMicros;
  }

  private void tellAll(String cql) {
    if (cql.startsWith("ALTER") || cql.startsWith("TRUNCATE")) {
      engines.forEach(engine -> session.execute(statement(cql, engine)));
      return;
    }
    List<CompletableFuture<AsyncResultSet>> told = new ArrayList<>();
    for (String engine : engines) {
      told.add(session.executeAsync(statement(cql, engine)).toCompletableFuture());
    }
    boolean isConditional = cql.contains(" IF ");
    Map<String, List<String>> answers = new LinkedHashMap<>();
    for (int i = 0; i < told.size(); i++) {
      AsyncResultSet answer = told.get(i).join();
      answers.put(engines.get(i), isConditional ? RowTexts.of(answer.currentPage()) : List.of());
    }
    requireAlike(cql, answers);
  }

  private void askAll(Query query) {
    Map<String, List<String>> answers = new LinkedHashMap<>();
    for (String engine : engines) {
      answers.put(engine, answer(query, engine));
    }
    requireAlike(query.cql, answers);
  }

  private List<String> answer(Query query, String engine) {
    return RowTexts.of(ask(query, engine));
  }

  private ResultSet ask(Query query, String engine) {
    return session.execute(statement(query.cql, engine).setPageSize(query.pageSize));
  }

  private void requireAlike(String cql, Map<String, List<String>> answers) {
    List<String> expected = answers.get(engines.get(0));
    answers.forEach(
        (engine, seen) ->
            RowTexts.requireAlike(
                "statement %d on %s: %s".formatted(statements, engine, cql), seen, expected));
  }

  private SimpleStatement statement(String cql, String engine) {
    return how.apply(
        SimpleStatement.newInstance(
                cql.replace("ROWS", "twins.rows_" + engine)
                    .replace("COUNTS", "twins.counts_" + engine)
                    .replace("ODDS", "twins.odds_" + engine))
            .setTimeout(Duration.ofSeconds(60)));
  }
}
