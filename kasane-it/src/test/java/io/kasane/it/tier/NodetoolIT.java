/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.FilesBelow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stock nodetool against a table whose rows lie on both disks: no order loses a row. */
@Tag("node")
@ExtendWith(SharedNode.class)
class NodetoolIT {
  private static final int ROWS = 200;
  private static final int HOT = 20;

  @TempDir private Path dir;
  private final LocalNode node;
  private final CqlSession session;

  NodetoolIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
  }

  @Test
  void shouldKeepEveryRowOverMaintenance() {
    TieredRows rows = onBothDisks("maintained");
    for (List<String> command :
        List.of(
            List.of("flush", Tiered.KEYSPACE, rows.table()),
            List.of("scrub", Tiered.KEYSPACE, rows.table()),
            List.of("compact", Tiered.KEYSPACE, rows.table()),
            List.of("cleanup", Tiered.KEYSPACE, rows.table()),
            List.of("garbagecollect", Tiered.KEYSPACE, rows.table()),
            List.of("relocatesstables", Tiered.KEYSPACE, rows.table()),
            List.of("upgradesstables", "-a", Tiered.KEYSPACE, rows.table()))) {
      rows.write(0, 5).write(100, 105).delete(HOT - 1).delete(ROWS - 1);
      Tiered.flush(node, rows.table());

      nodetool(node, command.toArray(String[]::new));

      rows.requireAll(String.join(" ", command));
    }
    Tiered.compact(node, rows.table());
    rows.requireAll("compact at last");
    // The deleted rows are there as tombstones, which are sorted like any row.
    TableFiles.Keys keys = rows.files().settled().keys();
    assertThat(keys.fast()).containsExactlyInAnyOrderElementsOf(TieredRows.ids(0, HOT));
    assertThat(keys.slow()).containsExactlyInAnyOrderElementsOf(TieredRows.ids(HOT, ROWS));
  }

  /** A compaction copies them to its output: else the key cache would fill with what is gone. */
  @Test
  void shouldForgetWhereRowsLayInSSTablesThatAreGone() throws IOException {
    TieredRows rows = onBothDisks("compacted");
    long before = cachedPositions();
    for (int i = 0; i < 10; i++) {
      rows.read(0, ROWS);
      Tiered.compact(node, rows.table());
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(cachedPositions()).isLessThan(before + 3 * ROWS));
    rows.requireAll("ten compactions");
  }

  /** Else the first read of each asks the disk for a page of the index, too. */
  @Test
  void shouldKnowWhereItWroteRowsThatAreRead() throws IOException {
    TieredRows rows = onBothDisks("positions");
    rows.read(0, ROWS);
    nodetool(node, "invalidatekeycache");
    assertThat(cachedPositions()).isLessThan(ROWS / 2);

    rows.write(0, ROWS);
    Tiered.flush(node, rows.table());

    assertThat(cachedPositions()).as("before any read").isGreaterThanOrEqualTo(ROWS);
    rows.requireAll("positions in the key cache");
  }

  private long cachedPositions() throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      String entries = "org.apache.cassandra.metrics:type=Cache,scope=KeyCache,name=Entries";
      return ((Number) jmx.attribute(entries, "Value")).longValue();
    }
  }

  @Test
  void shouldRestoreASnapshotOfBothDisks() throws IOException {
    TieredRows rows = onBothDisks("saved");
    TableFiles files = rows.files().settled();
    Set<Path> fast = files.fast();
    Set<Path> slow = files.slow();
    nodetool(node, "snapshot", "-t", "kept", "-cf", rows.table(), Tiered.KEYSPACE);
    assertThat(names(snapshot(fast))).containsAll(names(fast)).hasSizeGreaterThan(fast.size());
    assertThat(names(snapshot(slow))).containsAll(names(slow));
    Path fastDirectory = fast.iterator().next().getParent();
    Path slowDirectory = slow.iterator().next().getParent();

    truncate(rows);
    copy(snapshot(fast), fastDirectory);
    copy(snapshot(slow), slowDirectory);
    nodetool(node, "refresh", Tiered.KEYSPACE, rows.table());
    rows.requireAll("refresh");
    assertThat(files.settled().fast()).isNotEmpty();

    truncate(rows);
    Path fromFast = copy(snapshot(fastDirectory), dir.resolve("import/fast/k/saved"));
    Path fromSlow = copy(snapshot(slowDirectory), dir.resolve("import/slow/k/saved"));
    nodetool(
        node, "import", Tiered.KEYSPACE, rows.table(), fromFast.toString(), fromSlow.toString());
    rows.requireAll("import");
    assertThat(files.settled().fast()).as("imported onto fast").isEmpty();

    // What was imported is sorted like everything else.
    rows.read(0, HOT);
    Tiered.compact(node, rows.table());
    rows.requireAll("compact");
    assertThat(files.settled().keys().fast())
        .containsExactlyInAnyOrderElementsOf(TieredRows.ids(0, HOT));
    nodetool(node, "clearsnapshot", "-t", "kept");
    assertThat(snapshot(fastDirectory)).isEmpty();
    assertThat(snapshot(slowDirectory)).isEmpty();
  }

  private void truncate(TieredRows rows) {
    session.execute("TRUNCATE " + rows.qualified());
    TableFiles files = rows.files().settled();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> files.fast().isEmpty() && files.slow().isEmpty());
    assertThat(session.execute("SELECT * FROM " + rows.qualified()).all()).isEmpty();
  }

  private static Set<Path> snapshot(Set<Path> liveFiles) {
    return snapshot(liveFiles.iterator().next().getParent());
  }

  private static Set<Path> snapshot(Path tableDirectory) {
    return FilesBelow.of(tableDirectory.resolve("snapshots/kept"));
  }

  private static Set<String> names(Set<Path> files) {
    return files.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
  }

  private static Path copy(Set<Path> files, Path target) throws IOException {
    Files.createDirectories(target);
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (!Set.of("manifest.json", "schema.cql").contains(name)) {
        Files.copy(file, target.resolve(name), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return target;
  }

  @Test
  void shouldLeaveNoFileOfADroppedTable() {
    TieredRows rows = onBothDisks("dropped");
    TableFiles files = rows.files();
    Set<Path> before = new HashSet<>(files.fast());
    assertThat(before).isNotEmpty();

    session.execute("DROP TABLE " + rows.qualified());

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              for (Path root : List.of(node.settings().fast(), node.settings().slow())) {
                assertThat(files.filesBelow(root))
                    .allMatch(file -> file.toString().contains("/snapshots/dropped-"));
              }
            });
    nodetool(node, "clearsnapshot", "--all");
    assertThat(files.filesBelow(node.settings().fast())).isEmpty();
    assertThat(files.filesBelow(node.settings().slow())).isEmpty();
  }

  @Test
  void shouldReportTheTable() {
    TieredRows rows = onBothDisks("reported");

    assertThat(nodetool(node, "tablestats", rows.qualified()))
        .contains("Table: reported")
        .containsPattern("SSTable count: [1-9]");
    assertThat(nodetool(node, "tablehistograms", Tiered.KEYSPACE, rows.table()))
        .contains("k/reported histograms");
    assertThat(nodetool(node, "compactionstats")).contains("pending tasks");
    assertThat(nodetool(node, "compactionhistory")).contains("Compaction History");
  }

  private TieredRows onBothDisks(String table) {
    TieredRows rows = new TieredRows(node, session, table, Tiered.onRequest());
    rows.write(0, ROWS).read(0, HOT);
    Tiered.compact(node, table);
    TableFiles files = rows.files().settled();
    assertThat(files.fast()).isNotEmpty();
    assertThat(files.slow()).isNotEmpty();
    return rows;
  }
}
