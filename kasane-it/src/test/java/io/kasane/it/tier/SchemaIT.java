/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalNode;
import io.kasane.testkit.FilesBelow;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tables of many kinds, each beside a twin with stock's strategy that is fed the same statements:
 * whatever lies on whichever disk, both must answer every query alike.
 */
@Tag("node")
@Tag("campaign")
@ExtendWith(SharedNode.class)
class SchemaIT {
  private static final int KEYS = 24;
  private static final int ROUNDS = TestRun.size("kasane.schema.rounds", 1, 6);
  private static final int CHANGES = 60;

  /** To Kasane a key is its bytes, so few types stand for all. */
  private static final int KEY_TYPES = TestRun.size("kasane.schema.key.types", 5, 10);

  /** Of so many partitions one is read by itself at last. */
  private static final int PARTITION_STEP = TestRun.size("kasane.schema.step", 2, 1);

  private static final long FIRST_TIMESTAMP = 1_000_000;
  private static final String STOCK =
      Tiered.map("org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy");
  private static final String KASANE = Tiered.byHeat("min_threshold", "2");

  /** Tables whose every key is read by what the test does; a counter is read to be written. */
  private static final Set<String> ALL_READ =
      Set.of("key_boolean", "counted", "indexed", "attached", "viewed");

  /** Makes a statement out of chance; '@' stands for the table. */
  private interface Changes {
    String next(Random random, long timestamp);
  }

  /**
   * One kind of table.
   *
   * @param body what stands in the parentheses of CREATE TABLE
   * @param more statements that complete it, such as CREATE INDEX
   * @param partition the condition that selects a partition, by the number of its key
   * @param conditions of queries within a partition, what follows the above
   * @param queries of the whole table
   */
  private record Shape(
      String name,
      String body,
      List<String> more,
      IntFunction<String> partition,
      List<String> conditions,
      List<String> queries,
      Changes changes) {}

  private final LocalNode node;
  private final CqlSession session;
  private long timestamp = FIRST_TIMESTAMP;

  SchemaIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @Test
  void shouldAnswerAsTheTwinWithTheStockStrategyDoes() {
    List<Shape> shapes = shapes();
    create(shapes);
    Random random = new Random(TestRun.seed());
    for (int round = 1; round <= ROUNDS; round++) {
      for (Shape shape : shapes) {
        change(shape, random);
        heat(shape);
      }
      Tiered.flush(node);
      if (round % 2 == 0) {
        Tiered.compact(node);
      }
      shapes.forEach(this::compareScans);
    }
    waitUntilRowsExpired();
    Tiered.compact(node);
    for (Shape shape : shapes) {
      requireRowsOnBothDisks(shape);
    }
    for (Shape shape : shapes) {
      compareScans(shape);
      comparePartitions(shape);
    }
    compareViews();
    requireNothingElseOnFast();
  }

  private void create(List<Shape> shapes) {
    Tiered.createKeyspace(session, 1);
    session.execute("CREATE TYPE k.address (street text, number int)");
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = shapes.get(i);
      // Tombstones are purged, or kept; tables with views must keep them.
      int graceSeconds = i % 2 == 0 && !shape.name.equals("viewed") ? 0 : 864000;
      for (String side : List.of("kasane", "stock")) {
        String compaction = side.equals("kasane") ? KASANE : STOCK;
        String options =
            shape.body.contains("CLUSTERING ORDER BY")
                ? " AND compaction = "
                : " WITH compaction = ";
        session.execute(
            "CREATE TABLE k."
                + shape.name
                + "_"
                + side
                + " ("
                + shape.body
                + options
                + compaction
                + " AND gc_grace_seconds = "
                + graceSeconds);
        for (String statement : shape.more) {
          session.execute(
              on(statement, shape, side).replace("#COMPACTION", compaction).replace("#", side));
        }
      }
    }
  }

  private static String on(String statement, Shape shape, String side) {
    return statement.replace("@", "k." + shape.name + "_" + side);
  }

  private void change(Shape shape, Random random) {
    for (int i = 0; i < CHANGES; i++) {
      String statement = shape.changes.next(random, timestamp++);
      session.execute(on(statement, shape, "kasane"));
      session.execute(on(statement, shape, "stock"));
    }
  }

  /** Reads every third partition: they are hot from now on. */
  private void heat(Shape shape) {
    for (int key = 0; key < KEYS; key += 3) {
      compare(shape, "SELECT JSON * FROM @ WHERE " + shape.partition.apply(key));
    }
  }

  private void compareScans(Shape shape) {
    compare(shape, "SELECT JSON * FROM @");
    shape.queries.forEach(query -> compare(shape, query));
  }

  /** A view is written a moment after its table. */
  private void compareViews() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(rows("SELECT JSON * FROM k.view_kasane"))
                    .isNotEmpty()
                    .isEqualTo(rows("SELECT JSON * FROM k.view_stock")));
  }

  private void comparePartitions(Shape shape) {
    for (int key = 0; key < KEYS; key += PARTITION_STEP) {
      String partition = "SELECT JSON * FROM @ WHERE " + shape.partition.apply(key);
      compare(shape, partition);
      for (String condition : shape.conditions) {
        compare(shape, partition + " " + condition);
      }
    }
  }

  /** A row that expires was written a moment later to the twin, and so may outlive ours there. */
  private void compare(Shape shape, String query) {
    if (shape.name.equals("ttl")) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> requireSameAnswer(shape, query));
    } else {
      requireSameAnswer(shape, query);
    }
  }

  private void requireSameAnswer(Shape shape, String query) {
    assertThat(rows(on(query, shape, "kasane")))
        .as(on(query, shape, "kasane"))
        .isEqualTo(rows(on(query, shape, "stock")));
  }

  private List<String> rows(String query) {
    return session.execute(query).all().stream().map(SchemaIT::text).toList();
  }

  private static String text(Row row) {
    return IntStream.range(0, row.getColumnDefinitions().size())
        .mapToObj(i -> String.valueOf(row.getObject(i)))
        .collect(Collectors.joining(" | "));
  }

  private void waitUntilRowsExpired() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Stream.of("kasane", "stock")
                    .map(
                        side ->
                            "SELECT * FROM k.ttl_" + side + " WHERE v = 'short' ALLOW FILTERING")
                    .allMatch(query -> rows(query).isEmpty()));
  }

  private void requireRowsOnBothDisks(Shape shape) {
    TableFiles files = new TableFiles(node, shape.name + "_kasane").settled();
    assertThat(files.fast()).as("%s on fast", shape.name).isNotEmpty();
    if (!ALL_READ.contains(shape.name)) {
      assertThat(files.slow()).as("%s on slow", shape.name).isNotEmpty();
    }
  }

  /** Ordinary tables, system tables and tables behind an index stay on slow. */
  private void requireNothingElseOnFast() {
    Path fast = node.settings().fast();
    for (Path file : FilesBelow.of(fast)) {
      Path below = fast.relativize(file);
      if (below.getNameCount() == 1) {
        assertThat(below.toString()).isIn(".kasane-fast-disk", ".kasane-owner", ".kasane-lock");
        continue;
      }
      assertThat(below.getName(0).toString()).as("%s", file).isEqualTo("k");
      assertThat(below.getName(1).toString()).as("%s", file).containsPattern("_kasane-");
      assertThat(below.getName(2).toString()).as("%s", file).doesNotStartWith(".");
    }
    assertThat(
            new TableFiles(node, "indexed_kasane")
                .filesBelow(node.settings().slow()).stream()
                    .filter(file -> file.getParent().getFileName().toString().startsWith(".by_"))
                    .filter(file -> file.toString().endsWith("-Data.db")))
        .isNotEmpty();
  }

  // The kinds of tables.

  private static List<Shape> shapes() {
    List<Shape> shapes = new ArrayList<>();
    keyTypes().entrySet().stream()
        .limit(KEY_TYPES)
        .forEach(type -> shapes.add(keyType(type.getKey(), type.getValue())));
    shapes.add(rich());
    shapes.add(slices());
    shapes.add(compositeKey());
    shapes.add(counters());
    shapes.add(expiring());
    shapes.add(indexed());
    shapes.add(storageAttached());
    shapes.add(viewed());
    return shapes;
  }

  private static Map<String, IntFunction<String>> keyTypes() {
    Map<String, IntFunction<String>> types = new LinkedHashMap<>();
    types.put("text", i -> "'key " + i + "'");
    types.put("uuid", i -> "00000000-0000-4000-8000-0000000000" + (10 + i));
    types.put("blob", i -> "0x" + "00ff".repeat(i) + "0a");
    types.put("boolean", i -> "" + (i % 2 == 0));
    types.put("frozen<address>", i -> "{street: 'street " + i + "', number: " + i + "}");
    types.put("int", i -> "" + (i - KEYS / 2));
    types.put("timestamp", i -> "" + (1_700_000_000_000L + i));
    types.put("decimal", i -> "" + (i * 1.25));
    types.put("inet", i -> "'10.0.0." + i + "'");
    types.put("frozen<list<int>>", i -> "[" + i + ", 1, " + i + "]");
    return types;
  }

  private static Shape keyType(String type, IntFunction<String> literal) {
    return new Shape(
        "key_" + type.replaceAll("[^a-z]", ""),
        "id " + type + ", c int, s text static, v text, n int, PRIMARY KEY (id, c))",
        List.of(),
        key -> "id = " + literal.apply(key),
        List.of("AND c >= 3 AND c < 8", "ORDER BY c DESC", "AND c > 4 ORDER BY c DESC LIMIT 2"),
        List.of("SELECT DISTINCT id, s FROM @", "SELECT id, c, writetime(v) FROM @"),
        (random, at) -> ordinaryChange(random, at, literal));
  }

  private static String ordinaryChange(Random random, long at, IntFunction<String> literal) {
    String id = "id = " + literal.apply(random.nextInt(KEYS));
    int c = random.nextInt(10);
    String row = id + " AND c = " + c;
    String using = " USING TIMESTAMP " + at;
    int kind = random.nextInt(100);
    if (kind < 60) {
      return "UPDATE @"
          + using
          + (kind < 10 ? " AND TTL 100000" : "")
          + " SET v = 'v"
          + random.nextInt(5)
          + "', n = "
          + random.nextInt(20)
          + " WHERE "
          + row;
    } else if (kind < 68) {
      return "UPDATE @" + using + " SET s = 's" + random.nextInt(100) + "' WHERE " + id;
    } else if (kind < 76) {
      return "DELETE n FROM @" + using + " WHERE " + row;
    } else if (kind < 86) {
      return "DELETE FROM @" + using + " WHERE " + row;
    } else if (kind < 95) {
      return "DELETE FROM @" + using + " WHERE " + id + " AND c > " + c + " AND c <= " + (c + 3);
    } else if (kind < 97) {
      return "DELETE s FROM @" + using + " WHERE " + id;
    } else {
      return "DELETE FROM @" + using + " WHERE " + id;
    }
  }

  private static Shape rich() {
    return new Shape(
        "rich",
        "id int, c int, s set<text> static, m map<text, int>, l list<int>, t set<int>,"
            + " f frozen<address>, u address, tp tuple<int, text>, v text, PRIMARY KEY (id, c))"
            + " WITH CLUSTERING ORDER BY (c DESC)",
        List.of(),
        key -> "id = " + key,
        List.of("AND c >= 1", "ORDER BY c ASC", "AND c IN (0, 2)"),
        List.of("SELECT DISTINCT id, s FROM @"),
        (random, at) -> {
          String where = " WHERE id = " + random.nextInt(KEYS);
          String row = where + " AND c = " + random.nextInt(4);
          String update = "UPDATE @ USING TIMESTAMP " + at + " SET ";
          String delete = " FROM @ USING TIMESTAMP " + at;
          int x = random.nextInt(9);
          return switch (random.nextInt(18)) {
            case 0 -> update + "s = s + {'s" + x + "'}" + where;
            case 1 -> update + "s = s - {'s" + x + "'}" + where;
            case 2 -> update + "m['m" + x + "'] = " + x + row;
            case 3 -> update + "m = m + {'m" + x + "': 1, 'n': 2}" + row;
            case 4 -> update + "m = {'only': " + x + "}" + row;
            case 5 -> "DELETE m['m" + x + "']" + delete + row;
            case 6 -> update + "l = l + [" + x + "]" + row;
            case 7 -> update + "l = [" + x + ", " + x + "]" + row;
            case 8 -> update + "l = l - [" + x + "]" + row;
            case 9 -> update + "t = t + {" + x + ", 1}" + row;
            case 10 -> update + "t = t - {" + x + "}" + row;
            case 11 -> update + "f = {street: 'f" + x + "', number: " + x + "}" + row;
            case 12 -> update + "u.street = 'u" + x + "'" + row;
            case 13 -> update + "u = {number: " + x + "}" + row;
            case 14 -> update + "tp = (" + x + ", 'tp'), v = 'v" + x + "'" + row;
            case 15 -> "DELETE m, u" + delete + row;
            case 16 -> "DELETE" + delete + row;
            default -> x < 3 ? "DELETE" + delete + where : update + "v = 'v'" + row;
          };
        });
  }

  private static Shape slices() {
    return new Shape(
        "slices",
        "id uuid, a text, b timestamp, v text, PRIMARY KEY (id, a, b))"
            + " WITH CLUSTERING ORDER BY (a ASC, b DESC)",
        List.of(),
        key -> "id = " + keyTypes().get("uuid").apply(key),
        List.of(
            "AND a = 'a1'",
            "AND a > 'a0' AND a <= 'a2'",
            "AND a = 'a1' AND b > 2 AND b <= 7",
            "AND (a, b) > ('a1', 3)",
            "ORDER BY a DESC, b ASC LIMIT 5",
            "AND a IN ('a0', 'a2') AND b < 6"),
        List.of(),
        (random, at) -> {
          String id = " WHERE id = " + keyTypes().get("uuid").apply(random.nextInt(KEYS));
          String a = id + " AND a = 'a" + random.nextInt(3) + "'";
          int b = random.nextInt(9);
          String using = "@ USING TIMESTAMP " + at;
          return switch (random.nextInt(10)) {
            case 0 -> "DELETE FROM " + using + a + " AND b > " + b;
            case 1 -> "DELETE FROM " + using + a;
            case 2 -> "DELETE FROM " + using + a + " AND b >= " + b + " AND b < " + (b + 2);
            case 3 -> "DELETE FROM " + using + id + " AND a > 'a1'";
            default -> "UPDATE " + using + " SET v = 'v" + at + "'" + a + " AND b = " + b;
          };
        });
  }

  private static Shape compositeKey() {
    return new Shape(
        "composite",
        "p int, q text, c int, v text, n int, s text static, PRIMARY KEY ((p, q), c))",
        List.of(),
        key -> "p = " + key % 5 + " AND q = 'q" + key / 5 + "'",
        List.of("AND c > 4", "ORDER BY c DESC"),
        List.of("SELECT DISTINCT p, q, s FROM @"),
        (random, at) ->
            ordinaryChange(random, at, key -> key % 5 + " AND q = 'q" + key / 5 + "'")
                .replace("id = ", "p = "));
  }

  private static Shape counters() {
    return new Shape(
        "counted",
        "id int, c int, n counter, m counter, PRIMARY KEY (id, c))",
        List.of(),
        key -> "id = " + key,
        List.of("AND c = 1", "ORDER BY c DESC"),
        List.of(),
        (random, at) ->
            "UPDATE @ SET n = n + "
                + random.nextInt(100)
                + (random.nextBoolean() ? ", m = m - 1" : "")
                + " WHERE id = "
                + random.nextInt(KEYS)
                + " AND c = "
                + random.nextInt(3));
  }

  private static Shape expiring() {
    return new Shape(
        "ttl",
        "id int, c int, v text, w text, PRIMARY KEY (id, c))",
        List.of(),
        key -> "id = " + key,
        List.of("ORDER BY c DESC"),
        List.of(),
        (random, at) -> {
          String row = " WHERE id = " + random.nextInt(KEYS) + " AND c = " + random.nextInt(4);
          String update = "UPDATE @ USING TIMESTAMP " + at;
          return switch (random.nextInt(3)) {
            case 0 -> update + " AND TTL 1 SET v = 'short'" + row;
            case 1 -> update + " AND TTL 100000 SET v = 'long', w = 'w'" + row;
            default -> update + " SET w = 'w" + at + "'" + row;
          };
        });
  }

  private static Shape indexed() {
    return new Shape(
        "indexed",
        "id int, c int, s text static, v text, n int, PRIMARY KEY (id, c))",
        List.of("CREATE INDEX by_v_# ON @ (v)", "CREATE INDEX by_n_# ON @ (n)"),
        key -> "id = " + key,
        List.of("AND c > 2", "AND v = 'v1'"),
        List.of(
            "SELECT JSON * FROM @ WHERE v = 'v0'",
            "SELECT JSON * FROM @ WHERE v = 'v3'",
            "SELECT JSON * FROM @ WHERE n = 7",
            "SELECT JSON * FROM @ WHERE v = 'v1' AND n = 5 ALLOW FILTERING"),
        (random, at) -> ordinaryChange(random, at, Integer::toString));
  }

  private static Shape storageAttached() {
    return new Shape(
        "attached",
        "id int, c int, s text static, v text, n int, PRIMARY KEY (id, c))",
        List.of(
            "CREATE INDEX sai_v_# ON @ (v) USING 'sai'",
            "CREATE INDEX sai_n_# ON @ (n) USING 'sai'"),
        key -> "id = " + key,
        List.of("AND c > 2", "AND n > 5"),
        List.of(
            "SELECT JSON * FROM @ WHERE v = 'v0'",
            "SELECT JSON * FROM @ WHERE n > 10",
            "SELECT JSON * FROM @ WHERE n >= 3 AND n < 9 AND v = 'v2'",
            "SELECT JSON * FROM @ WHERE n > 2 LIMIT 7"),
        (random, at) -> ordinaryChange(random, at, Integer::toString));
  }

  private static Shape viewed() {
    return new Shape(
        "viewed",
        "id int, c int, s text static, v text, n int, PRIMARY KEY (id, c))",
        List.of(
            "CREATE MATERIALIZED VIEW k.view_# AS SELECT id, c, v, n FROM @ WHERE v IS NOT NULL AND"
                + " id IS NOT NULL AND c IS NOT NULL PRIMARY KEY (v, id, c) WITH compaction ="
                + " #COMPACTION"),
        key -> "id = " + key,
        List.of("ORDER BY c DESC"),
        List.of(),
        (random, at) -> ordinaryChange(random, at, Integer::toString));
  }
}
