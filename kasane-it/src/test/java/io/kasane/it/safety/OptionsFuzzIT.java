/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Someone may ALTER a table and tries everything: the node stays up, serves, restarts, keeps every
 * row, and tells nothing of files that are not the table's. {@code kasane.alters} says how often.
 */
@Tag("node")
@Tag("campaign")
@Timeout(600) // a list that is a pipe would hang for ever
class OptionsFuzzIT {
  private static final int ALTERS = TestRun.size("kasane.alters", 8, 600);
  private static final int PAUSE_MILLIS = TestRun.size("kasane.alters.pause.millis", 50, 0);
  private static final long SEED = TestRun.seed();
  private static final List<String> LISTS =
      List.of("keys", "zero", "passwd", "pipe", "directory", "loop", "garbage", "none");
  private static final List<String> HOSTILE_PATHS =
      List.of(
          "/dev/zero", "/etc/passwd", "../../../../etc/passwd", "..", "lists/keys", ".keys", "");
  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "2",
          "3",
          "4",
          "32",
          "-1",
          "0.5",
          "0.05",
          "NaN",
          "1e308",
          "2147483647",
          "2147483648",
          "64000000",
          "9223372036854775807",
          "10ms",
          "1s",
          "1d",
          "9999999d",
          "0B",
          "1B",
          "64KiB",
          "5MiB",
          "8388607TiB",
          "auto",
          "budget",
          "listed",
          "share",
          "window",
          "stay",
          "reads",
          "writes",
          "both",
          "cache",
          "tier",
          "rewrite",
          "copy",
          "heat",
          "fast-first",
          "free-space",
          "x\nERROR forged by a table option",
          "日本\u202e");
  private static final Map<String, List<String>> VALID =
      Map.ofEntries(
          Map.entry("heat_policy", List.of("budget", "share", "window")),
          Map.entry("heat_counts", List.of("reads", "writes", "both")),
          Map.entry("heat_min_accesses", List.of("1", "32767")),
          Map.entry("heat_share", List.of("0", "1", "auto")),
          Map.entry("heat_list", LISTS),
          Map.entry("heat_period", List.of("10ms", "1s", "1d")),
          Map.entry("heat_capacity", List.of("1", "64000000")),
          Map.entry("placement", List.of("heat", "fast-first", "free-space")),
          Map.entry("tier_mode", List.of("tier", "cache")),
          Map.entry("fast_quota", List.of("0", "64KiB", "8388607TiB")),
          Map.entry("fast_fill", List.of("0.05", "0.85")),
          Map.entry("promotion", List.of("copy", "rewrite")),
          Map.entry("promotion_rows_per_second", List.of("1", "2147483647")),
          Map.entry("promotion_bytes_per_second", List.of("0", "8388607TiB")),
          Map.entry("hot_min_threshold", List.of("2", "2147483647")),
          Map.entry("slow_read_cost", List.of("0", "8388607TiB")),
          Map.entry("min_threshold", List.of("2", "32")),
          Map.entry("max_threshold", List.of("4", "2147483647")),
          Map.entry("bucket_low", List.of("0", "1")),
          Map.entry("bucket_high", List.of("1", "100")),
          Map.entry("min_sstable_size", List.of("0", "9223372036854775807")));

  private final CheckedTable<?> rows = new CheckedRows("rows", 2000, 500);
  private final CheckedTable<?> other = new CheckedRows("other", 500, 300);
  private final CheckedTable<?> cached = new CheckedRows("cached", 200, 300);
  private final Random random = new Random(SEED);

  @TempDir private Path dir;
  private int accepted;
  private int refused;

  @Test
  void shouldBearWhateverATableAsksFor() throws Exception {
    System.out.println("options: seed " + SEED);
    Path lists = lists();
    LocalNode node = node(lists);
    try {
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        create(session);
        try (Traffic traffic =
            Traffic.start(
                List.of(node), List.of(rows, other), 0.5, PAUSE_MILLIS, new Random(SEED))) {
          namedCases(session);
          for (int i = 0; i < ALTERS; i++) {
            alter(session, map(randomOptions()));
          }
          traffic.endsNow();
          traffic.await();
        }
        rows.verify();
        leaveListedByANameThatIsNoFile(session);
        leaveASchemaOfAnotherVersion(session, node);
      }
      offerTheListAfterAll(lists);
      Path log = node.log().path();
      String firstRun = Files.readString(log, StandardCharsets.UTF_8);
      node.stop();
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        rows.connect(session);
        other.connect(session);
        rows.verify();
        other.verify();
        requireThatRowsStay(session, node);
        awaitListedKeys(session);
      }
      requireHarmlessLog(firstRun + Files.readString(log, StandardCharsets.UTF_8));
      System.out.printf("options: %d accepted, %d refused%n", accepted, refused);
      assertThat(accepted).isGreaterThan(ALTERS / 10);
      assertThat(refused).isGreaterThan(ALTERS / 10);
    } finally {
      node.kill9();
    }
  }

  /** It takes a minute. */
  @Test
  @Tag("long")
  void shouldReadAListThatComesLaterWithoutAnAlterOrARestart() throws Exception {
    Path lists = lists();
    LocalNode node = node(lists);
    try {
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        create(session);
        leaveListedByANameThatIsNoFile(session);
        offerTheListAfterAll(lists);
        awaitListedKeys(session);
      }
    } finally {
      node.kill9();
    }
  }

  private LocalNode node(Path lists) {
    return LocalCluster.builder(Distribution.locate(), dir.resolve("nodes"))
        .isolated()
        .each(
            settings ->
                settings
                    .heap("600m")
                    .fastQuota(ByteSize.parse("4MiB"))
                    .kasaneYaml("key_lists_directory", lists.toString())
                    .kasaneYaml("heat_memory", "4MiB")
                    .yaml("auto_snapshot", false))
        .build()
        .node(1);
  }

  private Path lists() throws IOException, InterruptedException {
    Path lists = Files.createDirectories(dir.resolve("lists"));
    Files.writeString(lists.resolve("keys"), "00000001\n00000002\n");
    Files.writeString(lists.resolve("garbage"), "00000001\nTOP-SECRET-LINE\n");
    Files.createSymbolicLink(lists.resolve("zero"), Path.of("/dev/zero"));
    Files.createSymbolicLink(lists.resolve("passwd"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(lists.resolve("loop"), lists.resolve("loop"));
    Files.createDirectory(lists.resolve("directory"));
    assertThat(new ProcessBuilder("mkfifo", lists.resolve("pipe").toString()).start().waitFor())
        .isZero();
    return lists;
  }

  private void create(CqlSession session) {
    session.setSchemaMetadataEnabled(false);
    session.execute(
        "CREATE KEYSPACE "
            + CheckedTable.KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    for (CheckedTable<?> table : List.of(rows, other, cached)) {
      session.execute(
          "CREATE TABLE "
              + table.qualifiedName()
              + " ("
              + table.columns()
              + ") WITH compaction = "
              + map(List.of()));
      table.connect(session);
    }
  }

  private void namedCases(CqlSession session) {
    for (String path : HOSTILE_PATHS) {
      assertThatThrownBy(
              () ->
                  session.execute(
                      alterTable(map(List.of("heat_policy", "listed", "heat_list", path)))))
          .as(path)
          .isInstanceOf(DriverException.class)
          .hasMessageContaining("heat_list")
          .hasMessageContaining("key_lists_directory");
    }
    for (String list : LISTS) {
      session.execute(alterTable(map(List.of("heat_policy", "listed", "heat_list", list))));
    }
    session.execute(alterTable(map(List.of("heat_capacity", "64000000"))));
  }

  private List<String> randomOptions() {
    boolean valid = random.nextBoolean();
    List<String> options = new ArrayList<>();
    List<String> names = new ArrayList<>(new TreeSet<>(VALID.keySet()));
    for (int i = random.nextInt(4); i >= 0; i--) {
      String name = names.remove(random.nextInt(names.size()));
      if (name.equals("heat_list") && names.remove("heat_policy")) {
        options.addAll(List.of("heat_policy", "listed"));
      }
      List<String> hostile = random.nextInt(12) == 0 ? HOSTILE_PATHS : VALUES;
      options.add(name);
      options.add(pick(valid ? VALID.get(name) : hostile));
    }
    return options;
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private void alter(CqlSession session, String map) {
    try {
      session.execute(alterTable(map));
      accepted++;
    } catch (DriverException e) {
      assertThat(e.getMessage()).as(map).contains("must be");
      assertThat(e.getMessage()).as(map).doesNotContain("\n");
      refused++;
    }
  }

  private String alterTable(String map) {
    return "ALTER TABLE " + rows.qualifiedName() + " WITH compaction = " + map;
  }

  private static String map(List<String> options) {
    StringBuilder text =
        new StringBuilder("{'class': 'io.kasane.tier.HeatTieredCompactionStrategy'");
    for (int i = 0; i < options.size(); i += 2) {
      text.append(", '").append(options.get(i)).append("': '");
      text.append(options.get(i + 1).replace("'", "''")).append('\'');
    }
    return text.append('}').toString();
  }

  private void leaveListedByANameThatIsNoFile(CqlSession session) {
    session.execute(alterTable(map(List.of("heat_policy", "listed", "heat_list", "later"))));
  }

  /** As it might come from a node whose version knows other periods. */
  private void leaveASchemaOfAnotherVersion(CqlSession session, LocalNode node) {
    session.execute(
        "ALTER TABLE "
            + cached.qualifiedName()
            + " WITH compaction = "
            + map(List.of("tier_mode", "cache", "heat_policy", "window", "heat_period", "1h")));
    for (int i = 0; i < 3; i++) {
      assertThat(cached.step(random, 0)).isTrue();
    }
    nodetool(node, "flush", CheckedTable.KEYSPACE, cached.name());
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              assertThat(cached.step(random, 1)).isTrue();
              return number(session, "fast_bytes") > 0;
            });
    String row = " WHERE keyspace_name = '" + CheckedTable.KEYSPACE + "' AND table_name = 'cached'";
    Map<String, String> options =
        session
            .execute("SELECT compaction FROM system_schema.tables" + row)
            .one()
            .getMap(0, String.class, String.class);
    Map<String, String> newer = new HashMap<>(options);
    newer.put("heat_period", "when the moon is full");
    session.execute("UPDATE system_schema.tables SET compaction = ?" + row, newer);
    nodetool(node, "flush", "system_schema");
  }

  private void requireThatRowsStay(CqlSession session, LocalNode node) {
    cached.connect(session);
    assertThat(viewed(session, "policy", String.class)).isEqualTo("stay");
    assertThat(viewed(session, "tier_mode", String.class)).isEqualTo("cache");
    assertThat(node.log().errors())
        .filteredOn(line -> line.contains("heat_period"))
        .hasSize(1)
        .allMatch(line -> line.contains("is 'when the moon is full' but must be a duration"))
        .allMatch(line -> line.contains("its rows stay where they are"));
    assertThat(number(session, "fast_bytes")).isPositive();
    for (int i = 0; i < 20; i++) {
      assertThat(cached.step(random, 0.5)).isTrue();
    }
    nodetool(node, "flush", CheckedTable.KEYSPACE, cached.name());
    nodetool(node, "compact", CheckedTable.KEYSPACE, cached.name());
    assertThat(number(session, "fast_bytes")).as("what was on fast stays there").isPositive();
    assertThat(number(session, "fast_only_bytes")).as("slow is complete").isZero();
    cached.verify();
  }

  private long number(CqlSession session, String column) {
    return viewed(session, column, Long.class);
  }

  private <T> T viewed(CqlSession session, String column, Class<T> type) {
    return session
        .execute(
            "SELECT "
                + column
                + " FROM kasane_views.tables WHERE keyspace_name = ? AND table_name = ?",
            CheckedTable.KEYSPACE,
            cached.name())
        .one()
        .get(0, type);
  }

  private static void offerTheListAfterAll(Path lists) throws IOException {
    Files.writeString(lists.resolve("later"), "00000001\n00000002\n00000003\n");
  }

  private void awaitListedKeys(CqlSession session) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(100))
        .until(
            () ->
                session
                        .execute(
                            "SELECT hot_keys FROM kasane_views.tables WHERE keyspace_name = ? AND"
                                + " table_name = ?",
                            CheckedTable.KEYSPACE,
                            rows.name())
                        .one()
                        .getLong(0)
                    == 3);
  }

  private static void requireHarmlessLog(String log) throws IOException {
    // Not by assertions on the log itself, which would print it.
    for (String line : Files.readAllLines(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1)) {
      if (!line.isBlank()) {
        assertThat(log.contains(line)).as("a line of /etc/passwd in the log").isFalse();
      }
    }
    for (String text :
        List.of("TOP-SECRET-LINE", "java.lang.OutOfMemoryError", "Cannot set up heat tiers")) {
      assertThat(log.lines().filter(line -> line.contains(text)).toList()).isEmpty();
    }
    assertThat(log.contains("line 2 of the key list 'garbage'")).isTrue();
    assertThat(log.lines().filter(line -> line.startsWith("ERROR forged")).toList()).isEmpty();
  }
}
