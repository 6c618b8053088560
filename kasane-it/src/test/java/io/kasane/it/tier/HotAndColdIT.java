/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.nodetool;
import static io.kasane.testkit.StockTools.sstablemetadata;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On one disk, hot and cold rows are flushed apart and hot SSTables are merged sooner. */
@Tag("node")
class HotAndColdIT {
  private static final int ROWS = 300;
  private static final int HOT = 30;
  private static final String[] OPTIONS = {
    "heat_policy",
    "share",
    "heat_share",
    "0.6",
    "heat_period",
    "1h",
    "hot_min_threshold",
    "2",
    "min_threshold",
    "6",
  };

  @TempDir private Path dir;
  private LocalNode node;
  private CqlSession session;

  @Test
  void shouldMergeHotRowsSooner() throws Exception {
    try (LocalCluster cluster =
        Tiered.oneNode(
            dir,
            settings ->
                settings
                    .heap("600m")
                    .syncEveryWrite()
                    .yaml("data_file_directories", List.of(settings.build().slow().toString())))) {
      node = cluster.start().node(1);
      session = node.connect();
      Tiered.createKeyspace(session, 1);
      session.execute(
          "CREATE TABLE k.t (id text PRIMARY KEY, version int, payload text) WITH compaction = "
              + compaction(false));
      write(0);
      Tiered.flush(node, "t");
      assertThat(levels().values()).containsExactly(0); // nothing is known yet

      read(20);
      write(1);
      Tiered.flush(node, "t");
      requireSplit();

      // What is hot is told by the SSTables themselves, and heat by its log.
      session.close();
      node.stop();
      node.start().waitUntilReady();
      session = node.connect();
      requireSplit();
      write(2);
      Tiered.flush(node, "t");
      assertThat(levels().values()).containsExactlyInAnyOrder(0, 0, 0, 1, 1);

      session.execute("ALTER TABLE k.t WITH compaction = " + compaction(true));
      nodetool(node, "enableautocompaction", "k", "t"); // looks for work at once
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .untilAsserted(() -> assertThat(levels().values()).containsExactlyInAnyOrder(0, 0, 0, 1));
      requireVersion(2);

      // Leveled compaction gives levels a meaning: two that overlap on level 1 must not harm it.
      session.execute("ALTER TABLE k.t WITH compaction = " + compaction(false));
      write(3);
      Tiered.flush(node, "t");
      assertThat(levels().values()).filteredOn(level -> level == 1).hasSize(2);
      session.execute("ALTER TABLE k.t WITH compaction = {'class': 'LeveledCompactionStrategy'}");
      requireVersion(3);
      Tiered.compact(node, "t");
      requireVersion(3);
      assertThat(node.log().errors()).isEmpty();
      session.close();
    }
  }

  private static String compaction(boolean enabled) {
    List<String> options = new ArrayList<>(List.of(OPTIONS));
    options.addAll(List.of("enabled", Boolean.toString(enabled)));
    return Tiered.strategy(options.toArray(String[]::new));
  }

  /** The newest flush left one SSTable of the hot rows and one of the others. */
  private void requireSplit() throws Exception {
    Map<Path, Integer> levels = levels();
    assertThat(levels.values()).containsExactlyInAnyOrder(0, 0, 1);
    Set<Path> others = new HashSet<>(levels.keySet());
    others.removeIf(file -> levels.get(file) == 1);
    List<String> hot = files().keysWithout(others).slow();
    // 30 keys with 20 reads, 270 with one: 0.6 of the 870 reads fall on 27 of the 30.
    assertThat(hot).doesNotHaveDuplicates().hasSizeBetween(HOT - 6, HOT);
    assertThat(IntStream.range(0, HOT).mapToObj(HotAndColdIT::key).toList()).containsAll(hot);
    List<String> all = files().keys().slow();
    assertThat(all).hasSize(2 * ROWS); // the first flush, and each row once more
  }

  private TableFiles files() {
    return new TableFiles(node, "t").settled();
  }

  /** The level of each SSTable as stock sstablemetadata prints it. */
  private Map<Path, Integer> levels() {
    Map<Path, Integer> levels = new TreeMap<>();
    for (Path file : files().slow()) {
      String out = sstablemetadata(node, file.toString());
      if (Files.exists(file)) {
        String level =
            out.lines()
                .filter(line -> line.startsWith("SSTable Level:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .collect(Collectors.joining());
        assertThat(level).as(out).isNotEmpty();
        levels.put(file, Integer.parseInt(level));
      }
    }
    return levels;
  }

  private static String key(int row) {
    return "key " + row;
  }

  private void write(int version) {
    for (int row = 0; row < ROWS; row++) {
      session.execute(
          "INSERT INTO k.t (id, version, payload) VALUES (?, ?, ?)",
          key(row),
          version,
          "x".repeat(200));
    }
  }

  private void read(int timesHot) {
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < (row < HOT ? timesHot : 1); i++) {
        session.execute("SELECT * FROM k.t WHERE id = ?", key(row));
      }
    }
  }

  private void requireVersion(int version) {
    for (int row = 0; row < ROWS; row++) {
      assertThat(
              session
                  .execute("SELECT version FROM k.t WHERE id = ?", key(row))
                  .one()
                  .getInt("version"))
          .isEqualTo(version);
    }
  }
}
