/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that are read from slow are copied to fast, and reads skip the slow SSTables.
 *
 * <p>Long because all scenes share one node.
 */
@Tag("node")
@Tag("campaign")
class PromotionIT {
  private static final int ROWS = 300;
  private static final int HOT = 30;

  /** Else the one that tests without a node do not have. */
  private static final boolean BOTH_FORMATS = TestRun.size("kasane.promotion.formats", 1, 2) == 2;

  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.ON_SUCCESS)
  private Path dir;

  private LocalCluster cluster;
  private LocalNode node;
  private CqlSession session;

  @AfterEach
  void stop() {
    if (session != null) {
      session.close();
    }
    cluster.close();
  }

  /** What does not depend on the format of SSTables is tried with one of them. */
  @Test
  void shouldCopyWhatIsReadAndReadTheCopies() throws Exception {
    cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .heap("600m")
                    .yaml("storage_compatibility_mode", "NONE")
                    .yaml("uuid_sstable_identifiers_enabled", true)
                    .yaml("materialized_views_enabled", true));
    start("bti");
    Tiered.createKeyspace(session, 1);
    List<Executable> afterARestart = copyInEachFormat();
    session.close();
    node.stop();
    start("big");
    Assertions.assertAll(afterARestart);
    drop("copied", "underneath", "deleted", "wide");

    if (BOTH_FORMATS) {
      Assertions.assertAll(copyInEachFormat().subList(1, 3)); // the first wants a restart
    }
    inheritWhatAllInputsLeaveOut();
    reckonWithCompressedRows();
    readRowsThatShareAToken();
    compareRepairedDataWithoutCopies();
    keepRepairedAndUnrepairedRowsApart();
    collectGarbageBesideCopies();
    leaveWhatMustNotBeCopied();
    forgetTruncatedRows();
    followTheOptions();
    assertThat(node.log().errors()).isEmpty();
  }

  /** Returns what is to be checked after a restart. */
  private List<Executable> copyInEachFormat() throws Exception {
    copyWidePartitions();
    return List.of(
        copyAndLeaveTheSlowSSTableAlone(), compactSlowBesideCopies(), keepDeletionsOfCopiedRows());
  }

  private void start(String format) {
    node =
        cluster
            .node(1)
            .with(settings -> settings.yaml("sstable", Map.of("selected_format", format)));
    node.start().waitUntilReady();
    session = node.connect();
    session.setSchemaMetadataEnabled(false);
  }

  private void drop(String... tables) {
    for (String table : tables) {
      session.execute("DROP TABLE k." + table);
      TableFiles files = new TableFiles(node, table);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> files.fast().isEmpty() && files.slow().isEmpty());
    }
  }

  private TieredRows loaded(String table, String... options) {
    TieredRows rows = new TieredRows(node, session, table, Tiered.byHeat(options)).write(0, ROWS);
    Tiered.flush(node, table);
    return rows;
  }

  private void awaitOnFast(TieredRows rows, int from, int to) {
    awaitOnFast(rows, from, to, () -> {});
  }

  /** What else is read as often would be on fast then, too, if it may. */
  private void awaitOnFast(TieredRows rows, int from, int to, Runnable otherReads) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              otherReads.run();
              rows.read(from, to);
              long before = slowReads(rows.table());
              rows.read(from, to);
              assertThat(slowReads(rows.table())).isEqualTo(before);
            });
  }

  private long slowReads(String table) {
    return Tiered.viewed(session, table, "reads_slow");
  }

  /** The SSTables' data files and when each was written. */
  private static Map<Path, FileTime> written(Set<Path> files) throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    for (Path file : files) {
      times.put(file, Files.getLastModifiedTime(file));
    }
    return times;
  }

  /** What reads leave out is known by token, and somebody may have chosen keys that share one. */
  private void readRowsThatShareAToken() {
    RowsOfOneToken rows = new RowsOfOneToken(node, session, Tiered.byHeat());
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              rows.read(0);
              rows.read(3);
              long before = slowReads("shared");
              rows.read(2);
              assertThat(slowReads("shared")).isEqualTo(before);
            });
    rows.readAll();
  }

  private Executable copyAndLeaveTheSlowSSTableAlone() throws Exception {
    TieredRows rows = loaded("copied");
    Map<Path, FileTime> slow = written(rows.files().slow());
    assertThat(slow).hasSize(1);

    awaitOnFast(rows, 0, HOT);
    assertThat(written(rows.files().slow())).isEqualTo(slow);
    assertThat(new TreeSet<>(rows.files().keys().fast()))
        .isEqualTo(new TreeSet<>(TieredRows.ids(0, HOT)));

    // What is written from now on is read, wherever it lies.
    rows.write(0, 10);
    rows.delete(10).delete(11);
    rows.read(0, HOT);
    Tiered.flush(node, "copied");
    rows.read(0, HOT);

    // A compaction of the copies hands them on.
    compactFast(rows);
    awaitOnFast(rows, 0, 10);
    long before = slowReads("copied");
    rows.read(0, HOT);
    assertThat(slowReads("copied")).isEqualTo(before);
    rows.requireAll("compaction of copies");
    assertThat(written(rows.files().slow())).containsAllEntriesOf(slow);

    return () -> readTheCopiesAfterARestart(rows.over(session));
  }

  /** What is in force stays so, whether or not names of SSTables come again. */
  private void readTheCopiesAfterARestart(TieredRows rows) {
    awaitOnFast(rows, 0, HOT);
    assertThat(Tiered.viewed(session, "copied", "copied_rows")).isZero();
    rows.read(0, ROWS);
    rows.requireAll("restart");
    awaitOnFast(rows, 0, 10);

    session.execute(
        "ALTER TABLE k.copied WITH compaction = " + Tiered.map("SizeTieredCompactionStrategy"));
    rows.read(0, ROWS);
    Tiered.compact(node, "copied");
    rows.read(0, ROWS);
    session.execute("ALTER TABLE k.copied WITH compaction = " + Tiered.byHeat());
    rows.read(0, ROWS);
    rows.write(0, HOT).read(0, ROWS);
    rows.requireAll("another strategy and back");
  }

  /** Merges the copies and what was flushed to fast, and nothing else. */
  private void compactFast(TieredRows rows) throws IOException, InterruptedException {
    compact(rows.files().settled().fast());
    rows.files().settled();
  }

  /** Filters that err for every second row do not tell which inputs hold it. */
  private void inheritWhatAllInputsLeaveOut() throws Exception {
    // A busy machine's look-ups wait, and would pay for a merge.
    TieredRows rows =
        new TieredRows(node, session, "inherited", Tiered.byHeat("slow_read_cost", "0"));
    session.execute("ALTER TABLE k.inherited WITH bloom_filter_fp_chance = 0.5");
    Tiered.awaitSchema(node);
    rows.write(0, ROWS);
    Tiered.flush(node, "inherited");
    rows.write(ROWS, 2 * ROWS);
    Tiered.flush(node, "inherited");
    awaitOnFast(rows, 0, HOT);
    List<String> fast = rows.files().settled().keys().fast();
    Set<Path> slow = rows.files().slow();
    assertThat(slow).hasSize(2);

    compact(slow);
    TableFiles.Keys keys = rows.files().settled().keys();
    assertThat(keys.slow()).containsAll(TieredRows.ids(0, HOT));
    assertThat(keys.fast()).as("not written there again").containsExactlyInAnyOrderElementsOf(fast);
    long before = slowReads("inherited");
    rows.read(0, HOT);
    assertThat(slowReads("inherited")).isEqualTo(before);
  }

  /** What fast has already is not written there again, and is still left out of slow. */
  private Executable compactSlowBesideCopies() throws Exception {
    TieredRows rows = loaded("underneath").delete(0).delete(1).write(2, HOT);
    Tiered.flush(node, "underneath");
    awaitOnFast(rows, 0, HOT);
    List<String> fast = rows.files().settled().keys().fast();
    compact(rows.files().slow());
    assertThat(rows.files().settled().slow()).hasSize(1);
    assertThat(rows.files().keys().fast()).containsExactlyInAnyOrderElementsOf(fast);
    assertThat(rows.files().keys().slow()).containsAll(TieredRows.ids(2, HOT));
    long before = slowReads("underneath");
    rows.read(0, HOT);
    assertThat(slowReads("underneath")).isEqualTo(before);

    // What came after the copies was not copied: it lies where the heat says, and is read.
    rows.write(0, 5).delete(5);
    Tiered.flush(node, "underneath");
    compact(rows.files().settled().slow());
    rows.read(0, ROWS).requireAll("a compaction of slow SSTables beside copies");
    return () -> {
      rows.over(session).read(0, ROWS).requireAll("a restart after that");
      Tiered.compact(node, "underneath");
      rows.read(0, ROWS).requireAll("a compaction of everything after that");
    };
  }

  private void compact(Set<Path> sstables) throws IOException, InterruptedException {
    String files = sstables.stream().map(Path::toString).collect(Collectors.joining(" "));
    nodetool(node, ("compact --user-defined " + files).split(" ", -1));
  }

  /** The fast disk has room for as many rows as take it when they are compressed. */
  private void reckonWithCompressedRows() {
    TieredRows rows = loaded("compressed");
    Tiered.compact(node, "compressed");
    awaitOnFast(rows, 0, HOT);
    Awaitility.await("the hot set after the copies")
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              rows.read(HOT, HOT + 1);
              return Tiered.viewed(session, "compressed", "hot_keys") == HOT + 1;
            });
    long uncompressedBytes = HOT * (long) TieredRows.payload(HOT, 1).length();
    // A slow machine copies them in smaller SSTables, which are compressed less.
    assertThat(Tiered.viewed(session, "compressed", "hot_bytes"))
        .isBetween(1L, uncompressedBytes * 9 / 10);
  }

  private void copyWidePartitions() {
    session.execute(
        "CREATE TABLE k.wide (id int, c int, s text STATIC, v text, PRIMARY KEY (id, c))"
            + " WITH compaction = "
            + Tiered.byHeat());
    Tiered.awaitSchema(node);
    for (int id = 0; id < 20; id++) {
      session.execute("INSERT INTO k.wide (id, s) VALUES (?, ?)", id, "static " + id);
      for (int c = 0; c < 20; c++) {
        session.execute("INSERT INTO k.wide (id, c, v) VALUES (?, ?, ?)", id, c, "first " + c);
      }
    }
    Tiered.flush(node, "wide");
    for (int id = 0; id < 20; id++) {
      session.execute("DELETE FROM k.wide WHERE id = ? AND c > 3 AND c < 8", id);
      session.execute("DELETE v FROM k.wide WHERE id = ? AND c = 1", id);
      session.execute("INSERT INTO k.wide (id, c, v) VALUES (?, 12, 'second')", id);
    }
    session.execute("DELETE FROM k.wide WHERE id = 19");
    Tiered.flush(node, "wide");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              requireWide();
              long before = slowReads("wide");
              requireWide();
              assertThat(slowReads("wide")).isEqualTo(before);
            });
    session.execute("INSERT INTO k.wide (id, c, v) VALUES (0, 5, 'back')");
    assertThat(session.execute("SELECT v FROM k.wide WHERE id = 0 AND c = 5").one().getString(0))
        .isEqualTo("back");
  }

  private void requireWide() {
    for (int id = 0; id < 20; id++) {
      List<Row> all = session.execute("SELECT c, v, s FROM k.wide WHERE id = ?", id).all();
      if (id == 19) {
        assertThat(all).isEmpty();
        continue;
      }
      assertThat(all).extracting(row -> row.getInt(0)).hasSize(16).doesNotContain(4, 5, 6, 7);
      for (Row row : all) {
        int c = row.getInt(0);
        assertThat(row.getString(1)).isEqualTo(c == 1 ? null : c == 12 ? "second" : "first " + c);
        assertThat(row.getString(2)).isEqualTo("static " + id);
      }
      List<Row> some =
          session
              .execute("SELECT c FROM k.wide WHERE id = ? AND c >= 2 ORDER BY c DESC LIMIT 3", id)
              .all();
      assertThat(some).extracting(row -> row.getInt(0)).containsExactly(19, 18, 17);
      assertThat(session.execute("SELECT v FROM k.wide WHERE id = ? AND c = 6", id).all())
          .isEmpty();
    }
  }

  /** A deletion lies on fast, what it deletes on slow: no compaction of fast may purge it. */
  private Executable keepDeletionsOfCopiedRows() throws Exception {
    TieredRows rows = loaded("deleted");
    session.execute("ALTER TABLE k.deleted WITH gc_grace_seconds = 0");
    awaitOnFast(rows, 0, HOT);
    for (int id = 0; id < 10; id++) {
      rows.delete(id);
    }
    Tiered.flush(node, "deleted");
    Tiered.awaitSecondsToPass();
    compactFast(rows);
    rows.read(0, HOT);
    // A scan leaves nothing out.
    return () -> rows.over(session).read(0, ROWS).requireAll("a compaction of deletions");
  }

  private void compareRepairedDataWithoutCopies() throws Exception {
    TieredRows rows = loaded("tracked");
    awaitOnFast(rows, 0, HOT);
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageProxy",
          "enableRepairedDataTrackingForPartitionReads",
          List.of());
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              long before = slowReads("tracked");
              rows.read(0, HOT);
              assertThat(slowReads("tracked")).isEqualTo(before + HOT);
            });
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageProxy",
          "disableRepairedDataTrackingForPartitionReads",
          List.of());
    }
    awaitOnFast(rows, 0, HOT);
  }

  private void keepRepairedAndUnrepairedRowsApart() throws IOException {
    TieredRows rows = loaded("repaired");
    assertThat(withRepairStatus("repaired", false, true)).hasSize(1);
    session.execute("ALTER TABLE k.repaired WITH gc_grace_seconds = 0");
    rows.write(0, HOT).delete(HOT).delete(HOT + 1);
    Tiered.flush(node, "repaired");
    // Old enough to be purged; but only the copy of repaired rows has what they delete.
    Tiered.awaitSecondsToPass();
    awaitOnFast(rows, 0, HOT + 2);
    Set<String> fast =
        rows.files().settled().fast().stream()
            .map(file -> file.getFileName().toString().replace("-Data.db", ""))
            .collect(Collectors.toSet());
    assertThat(withRepairStatus("repaired", true, false))
        .as("repaired")
        .containsAnyElementsOf(fast);
    assertThat(withRepairStatus("repaired", false, false))
        .as("unrepaired")
        .containsAnyElementsOf(fast);
    rows.requireAll("copies of repaired rows");
  }

  /** The SSTables that are repaired, or not; changes what they are if asked to. */
  private Set<String> withRepairStatus(String table, boolean repaired, boolean change)
      throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      Object names =
          jmx.invoke(
              "org.apache.cassandra.db:type=StorageService",
              "mutateSSTableRepairedState",
              List.of(boolean.class, boolean.class, String.class, List.class),
              !repaired,
              !change,
              Tiered.KEYSPACE,
              List.of(table));
      return ((List<?>) names).stream().map(String::valueOf).collect(Collectors.toSet());
    }
  }

  /** Of two equal deletions, in a slow SSTable and in its copy, the one that reads see stays. */
  private void collectGarbageBesideCopies() {
    TieredRows rows = loaded("collected");
    session.execute("ALTER TABLE k.collected WITH gc_grace_seconds = 0");
    rows.write(0, 5);
    for (int id = 5; id < 10; id++) {
      rows.delete(id);
    }
    Tiered.flush(node, "collected");
    awaitOnFast(rows, 0, HOT);
    Tiered.awaitSecondsToPass();
    for (String level : List.of("CELL", "ROW")) {
      nodetool(node, "garbagecollect", "-g", level, Tiered.KEYSPACE, "collected");
      rows.read(0, ROWS).requireAll("garbagecollect by " + level);
      awaitOnFast(rows, 0, HOT);
    }
    Tiered.compact(node, "collected");
    rows.read(0, ROWS).requireAll("a compaction after garbagecollect");
  }

  private void leaveWhatMustNotBeCopied() {
    session.execute("CREATE TABLE k.base (id int PRIMARY KEY, v int)");
    session.execute(
        "CREATE MATERIALIZED VIEW k.by_v AS SELECT id, v FROM k.base"
            + " WHERE id IS NOT NULL AND v IS NOT NULL PRIMARY KEY (v, id) WITH compaction = "
            + Tiered.byHeat());
    Tiered.awaitSchema(node);
    for (int id = 0; id < 50; id++) {
      session.execute("INSERT INTO k.base (id, v) VALUES (?, ?)", id, id);
    }
    Tiered.flush(node, "by_v");
    session.execute(
        "CREATE TABLE k.vectors (id int PRIMARY KEY, v vector<float, 3>) WITH compaction = "
            + Tiered.byHeat());
    Tiered.awaitSchema(node);
    for (int id = 0; id < 50; id++) {
      session.execute("INSERT INTO k.vectors (id, v) VALUES (" + id + ", [1, 2, 3])");
    }
    Tiered.flush(node, "vectors");
    Runnable readThem =
        () -> {
          for (int id = 0; id < 50; id++) {
            session.execute("SELECT * FROM k.vectors WHERE id = ?", id);
            session.execute("SELECT * FROM k.by_v WHERE v = ?", id);
          }
        };
    TieredRows beside = loaded("beside");
    awaitOnFast(beside, 0, HOT, readThem);
    awaitOnFast(beside, HOT, 2 * HOT, readThem); // theirs would have been written before these
    // Their rows may come up by now all the same, in SSTables that were rewritten.
    for (String table : List.of("vectors", "by_v")) {
      assertThat(Tiered.viewed(session, table, "copied_rows")).as("copied of %s", table).isZero();
    }
  }

  private void forgetTruncatedRows() {
    TieredRows rows = loaded("truncated");
    awaitOnFast(rows, 0, HOT);
    session.execute("TRUNCATE k.truncated");
    assertThat(session.execute("SELECT * FROM k.truncated").all()).isEmpty();
    for (int id = 0; id < HOT; id++) {
      assertThat(session.execute("SELECT * FROM k.truncated WHERE id = ?", id).all()).isEmpty();
    }
    rows.write(0, ROWS);
    Tiered.flush(node, "truncated");
    rows.read(0, ROWS);
  }

  private void followTheOptions() {
    TieredRows rows = loaded("optional", "promotion", "rewrite", "slow_read_cost", "0");
    awaitOnFast(loaded("beside2"), 0, HOT, () -> rows.read(0, HOT));
    assertThat(rows.files().fast()).isEmpty();
    session.execute(
        "ALTER TABLE k.optional WITH compaction = "
            + Tiered.byHeat("promotion", "copy", "promotion_rows_per_second", "1000"));
    awaitOnFast(rows, 0, HOT);
    session.execute(
        "ALTER TABLE k.optional WITH compaction = " + Tiered.byHeat("promotion", "rewrite"));
    rows.read(0, ROWS);
  }
}
