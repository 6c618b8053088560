/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.it.tier.VersionedTable.keys;
import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every row lies on the disk its policy says, read out of the SSTables with stock tools. */
@Tag("node")
@ExtendWith(SharedNode.class)
class PlacementIT {
  private static final int ROWS = 300;
  private static final int HOT = 30;
  private static final long TABLE_QUOTA = 1 << 20;

  @TempDir private Path dir;
  private Path lists;
  private LocalNode node;
  private CqlSession session;

  PlacementIT(LocalNode node, CqlSession session) {
    this.node = node;
    this.session = session;
    this.lists = SharedNode.keyLists(node);
  }

  @AfterEach
  void dropTables() {
    session
        .execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'k'")
        .forEach(table -> session.execute("DROP TABLE k." + table.getString(0)));
    nodetool(node, "clearsnapshot", "--all"); // else it counts as what lies on fast
  }

  @Test
  void shouldPlaceEachRowAsItsTableSays() {
    placeByAllPolicies();
    cutWhatASmallerDiskMakesMuch();
    keepHotRowsOnFastOnly();
  }

  private void placeByAllPolicies() {
    keepTheHottestShareOnFast();
    keepWhatIsLittleOnFast();
    claimTheLogWithARowThatIsThere();
    leaveVectorsOnSlow();
    fillTheBudgetWithTheHottest();
    leaveRoomForUpdatesOfHotRows();
    fillFastFirst();
    drawADiskForEachFlush();
  }

  private void keepHotRowsOnFastOnly() {
    keepHotRowsOnFastOnly(table("compressed", "true", Tiered.onRequest()));
    keepHotRowsOnFastOnly(table("plain", "false", Tiered.onRequest()));
  }

  @Test
  void shouldKeepHotRowsOfTheOtherFormatOnFastOnly() {
    onANodeOfTheOtherFormat(this::keepHotRowsOnFastOnly);
  }

  @Test
  @Tag("long")
  void shouldPlaceRowsOfTheOtherFormatByAllPolicies() {
    onANodeOfTheOtherFormat(this::placeByAllPolicies);
  }

  private void onANodeOfTheOtherFormat(Runnable test) {
    LocalNode shared = node;
    CqlSession sessionToShared = session;
    lists = dir;
    try (LocalCluster cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .kasaneYaml("key_lists_directory", dir.toString())
                    .yaml("sstable", Map.of("selected_format", "bti"))
                    .yaml("storage_compatibility_mode", "NONE"))) {
      node = cluster.start().node(1);
      session = node.connect();
      Tiered.createKeyspace(session, 1);
      test.run();
      session.close();
    } finally {
      node = shared;
      session = sessionToShared;
    }
  }

  private void keepHotRowsOnFastOnly(VersionedTable table) {
    Set<String> hot = keys(0, HOT);
    Set<String> cold = keys(HOT, ROWS);
    table.write(0, ROWS, 0);
    Tiered.flush(node, table.name);
    Set<Path> loaded = table.files().slow();
    assertThat(table.files().fast()).isEmpty();
    assertThat(table.keys().slow()).containsExactlyInAnyOrderElementsOf(keys(0, ROWS));

    table.read(0, HOT, 1);
    table.write(0, ROWS, 1);
    Tiered.flush(node, table.name);

    TableFiles.Keys flushed = table.files().keysWithout(loaded);
    assertThat(flushed.fast()).containsExactlyInAnyOrderElementsOf(hot);
    assertThat(flushed.slow()).containsExactlyInAnyOrderElementsOf(cold);
    table.requireVersions(0, ROWS, 1);

    table.write(0, HOT / 2, 2);
    Tiered.compact(node, table.name);

    TableFiles.Keys compacted = table.keys();
    assertThat(compacted.fast()).containsExactlyInAnyOrderElementsOf(hot);
    assertThat(compacted.slow()).containsExactlyInAnyOrderElementsOf(cold);
    table.requireVersions(0, HOT / 2, 2);
    table.requireVersions(HOT / 2, HOT, 1);

    // What is read from now on is hot too; what was hot stays.
    table.read(ROWS - HOT, ROWS, 1);
    Tiered.compact(node, table.name);

    Set<String> hotter = keys(ROWS - HOT, ROWS);
    hotter.addAll(hot);
    TableFiles.Keys moved = table.keys();
    assertThat(moved.fast()).containsExactlyInAnyOrderElementsOf(hotter);
    assertThat(moved.slow()).containsExactlyInAnyOrderElementsOf(keys(HOT, ROWS - HOT));
    table.requireVersions(ROWS - HOT, ROWS, 1);
    assertThat(table.count()).isEqualTo(ROWS);
  }

  private void keepTheHottestShareOnFast() {
    VersionedTable table =
        table(
            "share",
            "true",
            Tiered.strategy("heat_policy", "share", "heat_share", "0.6", "enabled", "false"));
    table.write(0, ROWS, 0);
    table.read(0, HOT, 20);
    table.read(HOT, ROWS, 1);
    Tiered.compact(node, table.name);

    // 30 keys with 20 reads, 270 with one: 0.6 of the 870 reads fall on 27 of the 30.
    TableFiles.Keys found = table.keys();
    List<String> onFast = found.fast();
    assertThat(onFast).doesNotHaveDuplicates().hasSizeBetween(HOT - 6, HOT);
    assertThat(keys(0, HOT)).containsAll(onFast);
    requireEachKeyOnce(found);
  }

  /** On a disk that is large beside it, a table lies on fast as a whole, be it read or not. */
  private void keepWhatIsLittleOnFast() {
    String large = Tiered.strategy("fast_quota", "1GiB", "enabled", "false");
    String small = Tiered.strategy("fast_quota", "1023MiB", "enabled", "false");
    VersionedTable table = table("little", "false", large);
    table.write(0, HOT, 0);
    Tiered.flush(node, table.name);
    assertThat(table.keys().fast()).containsExactlyInAnyOrderElementsOf(keys(0, HOT));
    requireOnlyTheClaim(table.keys());

    session.execute("ALTER TABLE k.little WITH compaction = " + small);
    table.write(HOT, ROWS, 0);
    Tiered.flush(node, table.name);
    assertThat(table.keys().slow()).containsAll(keys(HOT, ROWS)).hasSize(ROWS - HOT + 1);
    Tiered.compact(node, table.name);
    assertThat(table.keys().fast()).containsExactlyInAnyOrderElementsOf(keys(0, HOT));

    session.execute("ALTER TABLE k.little WITH compaction = " + large);
    Tiered.compact(node, table.name);
    requireAllOnFast(table);

    session.execute("ALTER TABLE k.little WITH compaction = " + small);
    table.write(0, ROWS, 1);
    Tiered.flush(node, table.name);
    assertThat(table.keys().slow()).containsExactlyInAnyOrderElementsOf(keys(0, ROWS));
    session.execute(
        "ALTER TABLE k.little WITH compaction = " + Tiered.strategy("fast_quota", "1GiB"));
    nodetool(node, "enableautocompaction", Tiered.KEYSPACE, table.name);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> table.files().slow().isEmpty());
    requireAllOnFast(table);
    table.requireVersions(0, ROWS, 1);
  }

  /** The first row has nothing but a value of a column that is dropped before the flush. */
  private void claimTheLogWithARowThatIsThere() {
    VersionedTable table =
        table(
            "without_column",
            "false",
            Tiered.strategy("placement", "fast-first", "enabled", "false"));
    table.write(0, HOT, 0);
    String first = session.execute("SELECT id FROM k.without_column LIMIT 1").one().getString("id");
    session.execute("TRUNCATE k.without_column");
    session.execute("ALTER TABLE k.without_column ADD gone int");
    session.execute("UPDATE k.without_column SET gone = 1 WHERE id = ?", first);
    keys(0, HOT).stream().filter(key -> !key.equals(first)).forEach(key -> table.update(key, 1));
    session.execute("ALTER TABLE k.without_column DROP gone");
    Tiered.flush(node, table.name);
    requireOnlyTheClaim(table.keys());
  }

  private void leaveVectorsOnSlow() {
    VersionedTable table =
        table("vectors", "false", Tiered.strategy("fast_quota", "1GiB", "enabled", "false"));
    session.execute("ALTER TABLE k.vectors ADD v vector<float, 2>");
    table.write(0, HOT, 0);
    Tiered.flush(node, table.name);
    assertThat(table.files().fast()).isEmpty();
    assertThat(table.files().slow()).isNotEmpty();
  }

  private static void requireAllOnFast(VersionedTable table) {
    assertThat(Set.copyOf(table.keys().fast())).isEqualTo(keys(0, ROWS));
    assertThat(table.files().slow()).isEmpty();
  }

  private void fillTheBudgetWithTheHottest() {
    VersionedTable table =
        table(
            "budget",
            "false",
            Tiered.strategy(
                "heat_policy",
                "budget",
                "fast_quota",
                TABLE_QUOTA + "B",
                "fast_fill",
                "0.6",
                "enabled",
                "false"));
    table.write(0, ROWS, 0);
    table.read(0, HOT, 20);
    table.read(HOT, ROWS, 1);
    Tiered.compact(node, table.name);
    // The first compaction learns how large the rows are; the next has room once files are gone.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              Tiered.compact(node, table.name);
              assertThat(table.keys().fast()).containsAll(keys(0, HOT));
            });

    TableFiles.Keys found = table.keys();
    List<String> onFast = found.fast();
    assertThat(onFast).doesNotHaveDuplicates();
    assertThat(onFast.size()).isBetween(50, 80); // 0.6 to 0.6 * 1.1 of a quota of 104 rows
    assertThat(table.fastBytes()).isLessThanOrEqualTo(TABLE_QUOTA);
    requireEachKeyOnce(found);

    // A small update says nothing of the size of its row, so no more rows than before are hot.
    table.update(0, ROWS, 1);
    Tiered.flush(node, table.name);
    table.update(0, 1, 1);
    Tiered.flush(node, table.name); // draws the hot set with what the first flush has seen
    assertThat(table.hotKeys()).isBetween(50L, 80L);
    table.requireVersions(0, ROWS, 1);
  }

  /** More rows are wanted on fast than it holds, evenly over its shards. */
  private void leaveRoomForUpdatesOfHotRows() {
    int rowBytes = 4 * VersionedTable.PAYLOAD_BYTES;
    long quotaBytes = 8 * TABLE_QUOTA;
    VersionedTable table =
        table(
            "listed", "false", Tiered.strategy("fast_quota", quotaBytes + "B", "enabled", "false"));
    table.write(0, ROWS, 0, rowBytes);
    Tiered.flush(node, table.name);
    Set<String> wanted = table.someOfEachEighthOfTheRing(22); // 0.84 of the quota
    session.execute(
        "ALTER TABLE k.listed WITH compaction = "
            + Tiered.strategy(
                "heat_policy",
                "listed",
                "heat_list",
                list(wanted).getFileName().toString(),
                "fast_quota",
                quotaBytes + "B",
                "enabled",
                "false"));
    Tiered.compact(node, table.name);
    List<String> promoted = table.keys().fast();
    assertThat(wanted).containsAll(promoted);
    // 0.83 of the quota, less what SSTables of eight shards may have beside their rows.
    assertThat(promoted).hasSizeBetween(145, 172);

    Set<Path> before = new HashSet<>(table.files().slow());
    before.addAll(table.files().fast());
    wanted.forEach(key -> table.update(key, 1));
    Tiered.flush(node, table.name);
    TableFiles.Keys updates = table.files().keysWithout(before);
    assertThat(updates.fast()).containsExactlyInAnyOrderElementsOf(wanted);
    requireOnlyTheClaim(updates);
  }

  /** Of a flush of which all rows go to fast, one goes to slow, too: it claims the commit log. */
  private static void requireOnlyTheClaim(TableFiles.Keys flushed) {
    assertThat(flushed.slow()).hasSize(1);
    assertThat(flushed.fast()).containsAll(flushed.slow());
  }

  private Path list(Set<String> keys) {
    try {
      return Files.write(
          lists.resolve("keys"),
          keys.stream()
              .map(key -> HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8)))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void fillFastFirst() {
    VersionedTable table =
        table(
            "first",
            "false",
            Tiered.strategy(
                "placement",
                "fast-first",
                "fast_quota",
                TABLE_QUOTA + "B",
                "heat_period",
                "1h",
                "enabled",
                "false"));
    int fits = 50;
    table.write(0, fits, 0);
    Tiered.flush(node, table.name);
    requireOnlyTheClaim(table.keys());
    Set<Path> first = table.files().fast();
    assertThat(first).isNotEmpty();
    Set<Path> claim = table.files().slow();

    table.write(fits, ROWS, 0);
    Tiered.flush(node, table.name);
    assertThat(table.fastBytes()).isBetween(TABLE_QUOTA / 2, TABLE_QUOTA);
    assertThat(table.files().fast()).containsAll(first).hasSizeGreaterThan(first.size());
    assertThat(table.files().slow()).hasSizeGreaterThan(claim.size());
    requireEachKeyOnce(table.files().keysWithout(claim));

    Tiered.compact(node, table.name);
    assertThat(table.fastBytes()).isLessThanOrEqualTo(TABLE_QUOTA);
    requireEachKeyOnce(table.keys());
    rewriteNothingInVain(table);
  }

  /** Fast is full of rows that nobody has read, and heat has not seen enough to call them cold. */
  private void rewriteNothingInVain(VersionedTable table) {
    Set<Path> full = table.files().fast();
    long largestBytes = full.stream().mapToLong(file -> file.toFile().length()).max().orElseThrow();
    long quotaBytes = table.fastBytes() + largestBytes + (16 << 10); // and no room for copies
    session.execute(
        "ALTER TABLE k.first WITH compaction = "
            + Tiered.strategy("fast_quota", quotaBytes + "B", "heat_period", "1s"));
    table.read(Set.copyOf(table.keys().fast().subList(0, 3)));
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> table.hotKeys() > 0);
    nodetool(node, "enableautocompaction", Tiered.KEYSPACE, table.name);
    Tiered.awaitSecondsToPass();
    assertThat(table.files().fast()).isEqualTo(full);
  }

  private static void requireEachKeyOnce(TableFiles.Keys found) {
    assertThat(found.all()).containsExactlyInAnyOrderElementsOf(keys(0, ROWS));
  }

  /** On a disk that is large beside it, what is little is one SSTable. */
  @Test
  @Tag("long")
  void shouldCutWhatIsMuch() {
    VersionedTable table =
        table(
            "much",
            "false",
            Tiered.strategy("placement", "fast-first", "fast_quota", "1GiB", "enabled", "false"));
    int much = 4000; // twice that is more than a sixteenth of the quota
    table.write(0, much, 0);
    Tiered.flush(node, table.name);
    assertThat(table.files().fast()).hasSize(1);

    table.write(0, much, 1);
    Tiered.flush(node, table.name);
    assertThat(table.files().fast()).hasSizeBetween(6, 10);

    Tiered.compact(node, table.name);
    assertThat(table.files().fast()).hasSize(16);
    table.requireVersions(0, much, 1);
    riseWhileLittle(table, much);
  }

  /** With what lies on slow already the table is little, though twice of it would not be. */
  private void riseWhileLittle(VersionedTable table, int rows) {
    String compaction = "ALTER TABLE k." + table.name + " WITH compaction = ";
    session.execute(compaction + Tiered.strategy("fast_quota", "0B", "enabled", "false"));
    Tiered.compact(node, table.name);
    assertThat(table.files().fast()).isEmpty();

    session.execute(compaction + Tiered.strategy("fast_quota", "1GiB"));
    nodetool(node, "enableautocompaction", Tiered.KEYSPACE, table.name);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> table.files().slow().isEmpty());
    table.requireVersions(0, rows, 1);
  }

  private void cutWhatASmallerDiskMakesMuch() {
    VersionedTable table =
        table(
            "shrunk",
            "false",
            Tiered.strategy("placement", "fast-first", "fast_quota", "1GiB", "enabled", "false"));
    int rows = 1500;
    table.write(0, rows, 0);
    Tiered.flush(node, table.name);
    Set<Path> whole = table.files().fast();
    assertThat(whole).hasSize(1);

    session.execute(
        "ALTER TABLE k.shrunk WITH compaction = "
            + Tiered.strategy("placement", "fast-first", "fast_quota", "20MiB"));
    nodetool(node, "enableautocompaction", Tiered.KEYSPACE, table.name);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> whole.stream().noneMatch(Files::exists));
    assertThat(table.files().fast()).hasSizeBetween(2, 8);
    table.requireVersions(0, rows, 0);
  }

  private void drawADiskForEachFlush() {
    VersionedTable table =
        table("free", "true", Tiered.strategy("placement", "free-space", "enabled", "false"));
    boolean wasOnFast = false;
    boolean wasOnSlow = false;
    int key = 0;
    // Both disks have the same free space, so each flush goes either way with 1/2.
    while (!(wasOnFast && wasOnSlow) && key < ROWS) {
      Set<Path> before = new HashSet<>(table.files().slow());
      before.addAll(table.files().fast());
      table.write(key, key + 5, 0);
      Tiered.flush(node, table.name);
      TableFiles.Keys flushed = table.files().keysWithout(before);
      boolean onFast = !flushed.fast().isEmpty();
      if (onFast) {
        requireOnlyTheClaim(flushed);
      }
      assertThat(onFast ? flushed.fast() : flushed.slow())
          .containsExactlyInAnyOrderElementsOf(keys(key, key + 5));
      wasOnFast |= onFast;
      wasOnSlow |= !onFast;
      key += 5;
    }
    assertThat(wasOnFast).isTrue();
    assertThat(wasOnSlow).isTrue();
    table.requireVersions(0, key, 0);
  }

  private VersionedTable table(String name, String compressed, String compaction) {
    return new VersionedTable(node, session, name, compressed, compaction);
  }
}
