/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** In mode cache the slow disk has all rows, and the fast disk copies of the hot ones. */
@Tag("node")
@ExtendWith(SharedNode.class)
class CacheIT {
  private static final String TABLE = "cached";
  private static final int ROWS = 300;
  private static final int HOT = 30;

  @TempDir private Path dir;
  private Path lists;
  private LocalNode node;
  private CqlSession session;
  private TieredRows rows;

  CacheIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
    this.lists = SharedNode.keyLists(node);
  }

  private void load() throws IOException {
    rows = new TieredRows(node, session, TABLE, compaction("cache", HOT)).write(0, ROWS);
    Tiered.flush(node, TABLE);
  }

  /** One whose disks may be lost. */
  private LocalCluster startAnother() {
    lists = dir;
    LocalCluster cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .heap("600m")
                    .syncEveryWrite()
                    .kasaneYaml("key_lists_directory", dir.toString())
                    .yaml("disk_failure_policy", "best_effort")
                    .yaml("auto_snapshot", false));
    node = cluster.start().node(1);
    session = node.connect();
    Tiered.createKeyspace(session, 1);
    return cluster;
  }

  /** The rows below {@code hot} are hot; slow SSTables are compacted on request only. */
  private String compaction(String mode, int hot) throws IOException {
    Path list = lists.resolve("hot-" + hot);
    Files.write(list, IntStream.range(0, hot).mapToObj(id -> String.format("%08x", id)).toList());
    return Tiered.strategy(
        "heat_policy", "listed",
        "heat_list", list.getFileName().toString(),
        "tier_mode", mode,
        "slow_read_cost", "0",
        "min_threshold", "32",
        "hot_min_threshold", "32");
  }

  private void alter(String mode, int hot) throws IOException {
    session.execute("ALTER TABLE k.cached WITH compaction = " + compaction(mode, hot));
  }

  private long viewed(String column) {
    return Tiered.viewed(session, TABLE, column);
  }

  private void requireNoSlowReads(int from, int to, String after) {
    long before = viewed("reads_slow");
    rows.read(from, to);
    assertThat(viewed("reads_slow")).as("slow reads after %s", after).isEqualTo(before);
  }

  private void awaitOnFast(int from, int to) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () -> {
              rows.read(from, to);
              requireNoSlowReads(from, to, "promotion");
            });
  }

  private void compact(Set<Path> dataFiles) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(
                Stream.of("compact", "--user-defined"), dataFiles.stream().map(Path::toString))
            .collect(Collectors.toList());
    nodetool(node, command.toArray(String[]::new));
    rows.files().settled();
  }

  private Set<String> onSlow() {
    return new TreeSet<>(rows.files().settled().keys().slow());
  }

  private Set<String> onFast() {
    return new TreeSet<>(rows.files().settled().keys().fast());
  }

  private static Set<String> ids(int from, int to) {
    return new TreeSet<>(TieredRows.ids(from, to));
  }

  @Test
  void shouldKeepAllRowsOnSlowAndReadTheHotOnesFromFast() throws Exception {
    load();
    awaitOnFast(0, HOT);
    assertThat(onFast()).isEqualTo(ids(0, HOT));
    assertThat(onSlow()).isEqualTo(ids(0, ROWS));

    Set<Path> slowBefore = rows.files().slow();
    rows.write(0, 10).write(100, 110).delete(10).delete(11);
    long copied = viewed("copied_rows");
    Tiered.flush(node, TABLE);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> viewed("copied_rows") == copied + 12); // no read has asked for it
    awaitOnFast(0, HOT);
    Set<String> flushedKeys = new TreeSet<>(ids(0, 12));
    flushedKeys.addAll(ids(100, 110));
    assertThat(new TreeSet<>(rows.files().keysWithout(slowBefore).slow())).isEqualTo(flushedKeys);
    rows.read(0, ROWS);

    // The slow SSTables become one; what is copied already is not written to fast again.
    Set<Path> fastBefore = rows.files().settled().fast();
    compact(rows.files().slow());
    assertThat(rows.files().slow()).hasSize(1);
    assertThat(rows.files().fast()).isEqualTo(fastBefore);
    requireNoSlowReads(0, HOT, "a compaction of slow SSTables");
    rows.read(0, ROWS);

    compact(rows.files().fast());
    requireNoSlowReads(0, HOT, "a compaction of copies");

    // Copies of rows that cooled are dropped: no row is written to slow for them.
    alter("cache", HOT / 2);
    Set<Path> slow = rows.files().settled().slow();
    compact(rows.files().fast());
    assertThat(onFast()).isEqualTo(ids(0, HOT / 2));
    assertThat(rows.files().slow()).isEqualTo(slow);
    requireNoSlowReads(0, HOT / 2, "a demotion");
    rows.read(0, ROWS);
    rows.requireAll("a demotion");
    assertThat(viewed("fast_only_bytes")).isZero();

    Tiered.compact(node, TABLE);
    requireNoSlowReads(0, HOT / 2, "a major compaction");
    assertThat(onSlow()).containsAll(ids(12, ROWS));
    assertThat(viewed("fast_only_bytes")).isZero();
    rows.requireAll("a major compaction");

    keepADeletionThatOnlyACopyHas();
    copyOneOfTwoRowsOfAToken();
  }

  /** A compaction copies the small one of two rows; reads must find the other one, too. */
  private void copyOneOfTwoRowsOfAToken() throws Exception {
    Files.write(lists.resolve("hot-shared"), RowsOfOneToken.listed());
    RowsOfOneToken shared =
        new RowsOfOneToken(
            node,
            session,
            Tiered.strategy(
                "heat_policy", "listed", "heat_list", "hot-shared", "tier_mode", "cache"));
    Tiered.compact(node, "shared");
    long before = Tiered.viewed(session, "shared", "reads_slow");
    shared.read(2);
    assertThat(Tiered.viewed(session, "shared", "reads_slow")).isEqualTo(before);
    shared.readAll();
  }

  /**
   * A stock strategy may drop a deletion on slow because its copy has it, too. Then the copy is
   * none any more, and the deletion must not go with it.
   */
  private void keepADeletionThatOnlyACopyHas() throws Exception {
    long copied = viewed("copied_rows");
    rows.delete(5);
    Tiered.flush(node, TABLE);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> viewed("copied_rows") == copied + 1);
    assertThat(viewed("fast_only_bytes")).isZero();
    session.execute(
        "ALTER TABLE k.cached WITH compaction = "
            + Tiered.map(
                "SizeTieredCompactionStrategy",
                "provide_overlapping_tombstones",
                "row",
                "enabled",
                "false"));
    Set<Path> slow = rows.files().slow();
    for (Path each : slow) {
      compact(Set.of(each));
    }
    assertThat(rows.files().slow()).doesNotContainAnyElementsOf(slow);

    alter("cache", 5);
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> viewed("fast_only_bytes") == 0);
    compact(rows.files().fast());
    rows.requireAll("copies that outlived what they were copies of");
  }

  @Test
  void shouldBeSwitchedOnALiveTableAndLoseNothingWithTheFastDisk() throws Exception {
    LocalCluster another = startAnother();
    try (another) {
      load();
      alter("tier", HOT);
      rows.write(0, HOT);
      Tiered.flush(node, TABLE);
      Tiered.compact(node, TABLE);
      assertThat(onSlow()).isEqualTo(ids(HOT, ROWS));
      assertThat(viewed("fast_only_bytes")).isPositive();

      alter("cache", HOT);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> viewed("fast_only_bytes") == 0);
      assertThat(onSlow()).isEqualTo(ids(0, ROWS));
      requireNoSlowReads(0, HOT, "a change of the mode");
      rows.requireAll("a change of the mode");

      loseTheDirectoryWhileRunning();
      loseTheDiskWhileStopped();
    } finally {
      session.close();
    }
  }

  /** Writing copies fails; the flush does not. */
  private void loseTheDirectoryWhileRunning() throws Exception {
    rows.write(0, HOT);
    rows.files().fast().stream().map(Path::getParent).distinct().forEach(DirectoryUse::delete);
    Tiered.flush(node, TABLE);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> node.log().contains("reads will ask for it again"));
    rows.read(0, ROWS);
    rows.write(0, 5).delete(5);
    Tiered.flush(node, TABLE);
    rows.read(0, ROWS);
    rows.requireAll("the loss of the table's fast directory");
    restart(node);
    rows.read(0, ROWS);
    rows.requireAll("the loss of the table's fast directory and a restart");
    awaitOnFast(0, 5);
  }

  private void loseTheDiskWhileStopped() throws Exception {
    String disk = Files.readString(node.settings().fast().resolve(".kasane-fast-disk"));
    LocalNode accepting = node.with(s -> s.jvmFlag("-Dkasane.accept_fast_loss=" + disk));
    session.close();
    node.stop();
    DirectoryUse.delete(node.settings().fast());
    accepting.start().waitUntilReady();
    session = accepting.connect();
    rows.over(session).read(0, ROWS);
    rows.requireAll("the loss of the fast disk");
    awaitOnFast(0, 5);
    accepting.stop();
  }

  private void restart(LocalNode again) throws IOException, InterruptedException {
    session.close();
    again.stop();
    again.start().waitUntilReady();
    session = again.connect();
    rows.over(session);
  }
}
