/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import static io.kasane.ramp.cql.backfill.PlainTable.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.use.UsesNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain tables of a real node are copied, one process after the other. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class BackfillIT {
  private static final int ROWS = 500;
  private static final int PAGE = 50;

  private LocalNode node;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void open(LocalNode shared, CqlSession driver, RampSession opened) {
    node = shared;
    cql = driver;
    session = opened;
    PlainTable.createKeyspace(cql);
  }

  private RampTable<Integer, String> target(String name) {
    return session.table(name + "_target", Codecs.int32(), Codecs.text());
  }

  private static Backfill backfill(
      PlainTable source, RampTable<Integer, String> target, List<Integer> read) {
    return Backfill.of(
            PlainTable.KEYSPACE,
            source.name(),
            row -> {
              read.add(row.getInt("id"));
              return Stream.of(target.seed(row.getInt("id"), row.getString("value")));
            })
        .withPageRows(PAGE)
        .withRowsPerSecond(100_000);
  }

  private BackfillCounts run(Backfill backfill) {
    return backfill.run(cql, "uses", session, progress -> {});
  }

  private void requireCopied(RampTable<Integer, String> target, int rows) {
    Map<Integer, String> all = new HashMap<>();
    for (int from = 0; from < rows; from += 500) {
      all.putAll(
          session.newSession().getAll(target, IntStream.range(from, from + 500).boxed().toList()));
    }
    assertThat(all)
        .isEqualTo(
            IntStream.range(0, rows)
                .boxed()
                .collect(Collectors.toMap(id -> id, PlainTable::textOf)));
  }

  @Test
  void everyRowIsCopiedOnce() {
    PlainTable source = PlainTable.create(cql, "whole").fill(0, ROWS);
    RampTable<Integer, String> target = target("whole");
    List<Integer> read = new ArrayList<>();
    List<BackfillProgress> told = new ArrayList<>();

    BackfillCounts counts = backfill(source, target, read).run(cql, "uses", session, told::add);

    assertThat(counts).isEqualTo(new BackfillCounts(ROWS, ROWS, ROWS, 0, 0));
    assertThat(read).hasSize(ROWS);
    requireCopied(target, ROWS);
    assertThat(told).hasSizeGreaterThan(ROWS / PAGE / 2);
    assertThat(told)
        .isSortedAccordingTo((one, other) -> Double.compare(one.share(), other.share()));
    assertThat(told.get(told.size() - 1).share()).isEqualTo(1);
    assertThat(told.get(told.size() / 2).left()).isPresent();

    read.clear();
    assertThat(run(backfill(source, target, read))).isEqualTo(counts);
    assertThat(read).isEmpty();
    BackfillCounts again =
        backfill(source, target, read).restart(cql, "uses", session, progress -> {});
    assertThat(again).isEqualTo(new BackfillCounts(ROWS, ROWS, 0, 0, 0));
    assertThat(read).hasSize(ROWS);
  }

  @Test
  void aRowThatChangedBetweenTwoReadsIsThereAsItWasReadLast() {
    PlainTable source = PlainTable.create(cql, "changed").fill(0, 10);
    RampTable<Integer, String> target = target("changed");
    Backfill backfill = backfill(source, target, new ArrayList<>());
    run(backfill);
    // Lower in bytes than what was there.
    cql.execute("UPDATE plain.changed SET value = 'a' WHERE id = 3");

    assertThat(backfill.restart(cql, "uses", session, progress -> {}).written()).isEqualTo(1);
    assertThat(session.get(target, 3)).contains("a");
  }

  @Test
  void whatFailedInTheMiddleGoesOnFromThere() {
    PlainTable source = PlainTable.create(cql, "failed").fill(0, ROWS);
    RampTable<Integer, String> target = target("failed");
    List<Integer> first = new ArrayList<>();
    Backfill failing =
        Backfill.of(
                PlainTable.KEYSPACE,
                source.name(),
                row -> {
                  if (first.size() == ROWS / 2) {
                    throw new IllegalStateException("no such value");
                  }
                  first.add(row.getInt("id"));
                  return Stream.of(target.seed(row.getInt("id"), row.getString("value")));
                })
            .withPageRows(PAGE)
            .withRowsPerSecond(100_000);
    assertThatThrownBy(() -> run(failing))
        .isInstanceOf(BackfillException.class)
        .hasMessageContaining("the row function failed on the row of plain.failed WHERE id = ")
        .hasMessageContaining("no such value");

    List<Integer> second = new ArrayList<>();
    BackfillCounts counts = run(backfill(source, target, second));

    assertThat(counts.rows()).isGreaterThanOrEqualTo(ROWS);
    Set<Integer> twice = new HashSet<>(first);
    twice.retainAll(second);
    assertThat(twice).hasSizeLessThanOrEqualTo(PAGE);
    requireCopied(target, ROWS);
  }

  @Test
  void whatWasKilledGoesOnFromThere() throws Exception {
    PlainTable source = PlainTable.create(cql, "killed").fill(0, ROWS);
    RampTable<Integer, String> target = target("killed");
    Process process =
        new ProcessBuilder(
                Distribution.javaLauncher().toString(),
                "-Xmx192m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                System.getProperty("java.class.path"),
                BackfillProcess.class.getName(),
                node.settings().address(),
                String.valueOf(node.settings().nativePort()),
                source.name(),
                target.name())
            .inheritIO()
            .start();
    long before;
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> rowsRead(source).orElse(0L) >= 3 * PAGE || !process.isAlive());
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
    before = rowsRead(source).orElseThrow();
    assertThat(before).isLessThan(ROWS);

    List<Integer> second = new ArrayList<>();
    run(backfill(source, target, second));

    assertThat((long) second.size()).isBetween(ROWS - before, ROWS - before + 10);
    requireCopied(target, ROWS);
  }

  private Optional<Long> rowsRead(PlainTable source) {
    boolean exists =
        cql.refreshSchema()
            .getKeyspace("uses")
            .flatMap(uses -> uses.getTable(RunTable.NAME))
            .isPresent();
    return !exists
        ? Optional.empty()
        : Optional.ofNullable(
                cql.execute(
                        "SELECT rows_read FROM uses.kasane_backfills WHERE name = ? LIMIT 1",
                        "plain." + source.name())
                    .one())
            .map(row -> row.getLong(0));
  }

  @Test
  void twoAtOnceDoTheSame() {
    PlainTable source = PlainTable.create(cql, "both").fill(0, ROWS);
    RampTable<Integer, String> target = target("both");
    List<BackfillCounts> ended =
        IntStream.range(0, 2)
            .parallel()
            .mapToObj(number -> run(backfill(source, target, new ArrayList<>())))
            .toList();
    assertThat(ended).allMatch(counts -> counts.rows() >= ROWS);
    requireCopied(target, ROWS);
  }

  @Test
  void oneThatBeganLongerThanTheGraceAgoIsRefused() {
    PlainTable source = PlainTable.create(cql, "late").fill(0, ROWS);
    RampTable<Integer, String> target = target("late");
    List<Integer> read = new ArrayList<>();
    Backfill backfill = backfill(source, target, read);
    RunTable runs = RunTable.open(cql, "uses");
    Run old = Run.beginning(Instant.now().minus(Duration.ofDays(10).plusMinutes(1)), "plain.late");
    runs.save("plain.late", old.at(7, BackfillCounts.NONE));

    assertThatThrownBy(() -> run(backfill))
        .isInstanceOf(BackfillException.class)
        .hasMessageContaining("began at " + old.began().toString().substring(0, 16))
        .hasMessageContaining("gcGrace = PT240H")
        .hasMessageContaining("--restart");
    assertThat(read).isEmpty();

    backfill.restart(cql, "uses", session, progress -> {});
    requireCopied(target, ROWS);
  }

  @Test
  void itIsRefusedOnceTheGraceEndsWhileItRuns() {
    PlainTable source = PlainTable.create(cql, "slow").fill(0, ROWS);
    RampTable<Integer, String> target = target("slow");
    RunTable.open(cql, "uses")
        .save(
            "plain.slow",
            Run.beginning(Instant.now().minus(Duration.ofDays(10).minusSeconds(3)), "plain.slow"));
    Backfill slow = backfill(source, target, new ArrayList<>()).withRowsPerSecond(100);

    assertThatThrownBy(() -> run(slow)).hasMessageContaining("gcGrace");
    assertThat(rowsRead(source).orElseThrow()).isBetween((long) PAGE, ROWS - 1L);
  }

  @Test
  void aRunThatSomebodyChangedIsRefused() {
    PlainTable source = PlainTable.create(cql, "forged").fill(0, 10);
    Backfill backfill = backfill(source, target("forged"), new ArrayList<>());
    RunTable runs = RunTable.open(cql, "uses");

    cql.execute(
        "INSERT INTO uses.kasane_backfills (name, began) VALUES ('plain.forged', '2026-01-01')");
    refused(backfill, "lacks its source or position");
    assertThat(backfill.restart(cql, "uses", session, progress -> {}).rows()).isEqualTo(10);
    runs.save(
        "plain.forged",
        Run.beginning(Instant.now(), "plain.other").at(Long.MAX_VALUE, BackfillCounts.NONE));
    refused(backfill, "began with the source plain.other, this one has plain.forged");
    runs.save(
        "plain.forged", Run.beginning(Instant.now().plus(Duration.ofHours(1)), "plain.forged"));
    refused(backfill, "ahead; at most maxClockDrift = PT30S");
  }

  private void refused(Backfill backfill, String words) {
    assertThat(catchThrowableOfType(BackfillException.class, () -> run(backfill)))
        .hasMessageContaining(words);
  }

  @Test
  void aSourceThatCannotBeCopiedIsRefused() {
    cql.execute("CREATE TABLE plain.counters (id int PRIMARY KEY, n counter)");
    cql.execute(
        "CREATE TABLE plain.expiring (id int PRIMARY KEY, v int)"
            + " WITH default_time_to_live = 1000");
    refused(Backfill.of("plain", "counters", row -> Stream.of()), "has counters");
    refused(Backfill.of("plain", "expiring", row -> Stream.of()), "default_time_to_live = 1000");
    refused(Backfill.of("plain", "Nowhere", row -> Stream.of()), "plain.Nowhere does not exist");
    assertThatThrownBy(
            () -> Backfill.of("plain", "counters", row -> Stream.of()).withRowsPerSecond(0))
        .hasMessageContaining("rowsPerSecond is 0, not from 1 to 1000000");
  }

  @Test
  void rowsOfAllKindsReachTheRowFunction() {
    cql.execute(
        "CREATE TABLE plain.\"Kinds\" (\"From\" text, \"token\" int, c int, s text static,"
            + " l list<int>, f frozen<list<int>>, v int,"
            + " PRIMARY KEY ((\"From\", \"token\"), c))");
    cql.execute(
        "INSERT INTO plain.\"Kinds\" (\"From\", \"token\", c, s, l, f, v)"
            + " VALUES ('a', 1, 2, 'st', [1, 2], [3], 4)");
    cql.execute(
        "INSERT INTO plain.\"Kinds\" (\"From\", \"token\", c, v) VALUES ('a', 1, 3, 5)"
            + " USING TTL 1000");
    cql.execute("INSERT INTO plain.\"Kinds\" (\"From\", \"token\", s) VALUES ('b', 1, 'alone')");
    RampTable<String, String> target = session.table("kinds", Codecs.text(), Codecs.text());
    Backfill backfill =
        Backfill.of(
            "plain",
            "Kinds",
            row ->
                row.isNull("c")
                    ? Stream.empty()
                    : Stream.of(target.seed(keyOf(row), cellsOf(row))));

    assertThat(run(backfill)).isEqualTo(new BackfillCounts(3, 2, 2, 0, 1));
    assertThat(session.get(target, "a/2")).contains("st [1, 2] [3] 4");
    assertThat(session.get(target, "a/3")).contains("st [] [] 5");
  }

  private static String keyOf(Row row) {
    return row.getString("\"From\"") + "/" + row.getInt("c");
  }

  private static String cellsOf(Row row) {
    return String.format(
        "%s %s %s %d",
        row.getString("s"),
        row.getList("l", Integer.class),
        row.getList("f", Integer.class),
        row.getInt("v"));
  }

  @Test
  void aLargePartitionIsGoneOnWith() {
    cql.execute("CREATE TABLE plain.large (id int, c int, PRIMARY KEY (id, c))");
    for (int c = 0; c < 450; c++) {
      cql.execute("INSERT INTO plain.large (id, c) VALUES (1, ?)", c);
    }
    RampTable<Integer, Integer> target = session.table("large", Codecs.int32(), Codecs.int32());
    Backfill backfill =
        Backfill.of(
                "plain", "large", row -> Stream.of(target.seed(row.getInt("c"), row.getInt("id"))))
            .withPageRows(PAGE);
    assertThat(run(backfill).rows()).isEqualTo(450);
    assertThat(session.keys(target)).hasSize(450);
  }

  @Test
  void aSeedOverALimitIsRefusedByItsKey() {
    PlainTable source = PlainTable.create(cql, "limits").fill(0, 10);
    RampTable<String, String> target = session.table("limits", Codecs.text(), Codecs.text());
    refused(
        Backfill.of(
            "plain", source.name(), row -> Stream.of(target.seed("", row.getString("value")))),
        "The key in table limits has 0 bytes");
    Backfill huge =
        Backfill.of(
            "plain",
            source.name(),
            row -> Stream.of(target.seed(row.getString("value"), "x".repeat((1 << 20) + 1))));
    assertThatThrownBy(() -> run(huge)).hasMessageContaining("maxValueBytes is 1048576");
  }

  @Test
  void verifyCountsWhatIsMissingAndNothingElse() {
    PlainTable source = PlainTable.create(cql, "verified").fill(0, 500);
    RampTable<Integer, String> target = target("verified");
    Backfill backfill = backfill(source, target, new ArrayList<>());
    session.put(target, 1, "updated");
    session.delete(target, Set.of(2));
    assertThat(backfill.verify(cql, session, progress -> {}).counts().missing()).isEqualTo(498);

    run(backfill);
    source.fill(500, 503);

    BackfillCheck check = backfill.verify(cql, session, progress -> {});
    assertThat(check.counts()).isEqualTo(new BackfillCounts(503, 503, 0, 3, 0));
    assertThat(check.isComplete()).isFalse();
    assertThat(check.examples().stream().map(seed -> Codecs.int32().decode(seed.key().partition())))
        .containsExactlyInAnyOrder(500, 501, 502);
    assertThat(textOf(1)).isNotEqualTo(session.get(target, 1).orElseThrow());
  }
}
