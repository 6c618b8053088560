/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.it.tier.NodeLocal;
import io.kasane.it.tier.Tiered;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.testkit.TestRun;
import io.kasane.testkit.ThreadDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes one slow SSTable after another from a node, as an operator does with a corrupt one, of
 * tables whose hot rows are copied to fast. After a repair each of two replicas has all that was
 * acknowledged, by itself, whatever cools and is compacted before or after the repair.
 *
 * <p>{@code -Dkasane.lost.cycles=100} asks for more than the few losses of a normal build, {@code
 * -Dkasane.seed=N} replays a run as far as its timing allows.
 */
@Tag("node")
@Tag("campaign")
@Tag("pair")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LostSSTableIT {
  private static final int CYCLES = TestRun.size("kasane.lost.cycles", 1, 12);
  private static final long SEED = TestRun.seed();

  /** Neighbouring seeds draw nearly the same at first. */
  private static final long UNLIKE = 0x9E3779B97F4A7C15L;

  private static final double READ_SHARE = 0.6;
  private static final int HOT = 20;
  private static final int ROWS = 60;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** What is not read for a second or two is cold. */
  private static final String TIERED =
      "{'class': 'io.kasane.tier.HeatTieredCompactionStrategy', 'heat_policy': 'window',"
          + " 'heat_period': '2s', 'min_threshold': 4, 'hot_min_threshold': 3, 'tier_mode': '%s'}";

  private final List<CheckedTable<?>> tables =
      List.of(
          new CheckedRows("tier_rows", 400, 600),
          new CheckedRows("cache_rows", 400, 600),
          new CheckedPartitions("tier_partitions", 60),
          new CheckedPartitions("cache_partitions", 60));

  /** Tables of which a slow SSTable is lost whose hot rows were copied. */
  private static final List<String> COPIED =
      List.of("whole_tier", "whole_cache", "newer_tier", "newer_cache");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path dir;

  private final List<LocalNode> nodes = new ArrayList<>();
  private final List<Path> copiedFrom = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private Random random;
  private LocalNode victim;
  private CqlSession session;

  /** The first loss is that of all tests. */
  @BeforeAll
  void startAndLose() throws Exception {
    Random draw = new Random(SEED);
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .nodes(2)
            .each(LostSSTableIT::ownNetwork)
            .build();
    for (LocalNode node : cluster.nodes()) {
      boolean uuids = draw.nextBoolean();
      nodes.add(
          node.with(
              settings ->
                  settings
                      .jmxPort(10_000 + 2 * place() + node.settings().index())
                      .yaml("uuid_sstable_identifiers_enabled", uuids)));
    }
    nodes.forEach(node -> node.start().waitUntilReady());
    Tiered.awaitAllSeeAll(nodes);
    connect();
    createTables();
    begin(1);
    copiedFrom.addAll(haveCopied());
    // What an orderly stop has flushed does not come back from the commit log.
    told(() -> lose(true));
  }

  @AfterAll
  void kill() {
    if (session != null) {
      session.closeAsync();
    }
    nodes.forEach(LocalNode::kill9);
  }

  private void begin(int cycle) {
    steps.add("cycle " + cycle);
    random = new Random((SEED + cycle) * UNLIKE);
    victim = nodes.get(random.nextInt(nodes.size()));
  }

  private interface Step {
    void run() throws Exception;
  }

  private void told(Step step) {
    try {
      step.run();
    } catch (DriverTimeoutException e) {
      throw new AssertionError(
          "seed " + SEED + ", after " + steps + ": " + ThreadDump.of(victim), e);
    } catch (Throwable e) {
      throw new AssertionError("seed " + SEED + ", " + dir + ", after " + steps + ": " + e, e);
    }
  }

  /** The victim alone is asked: what a copy holds may be all there is. */
  @Test
  @Order(1)
  void shouldKeepWhatOnlyACopyHolds() {
    told(
        () -> {
          requireHotRows(COPIED, "a restart");
          for (String table : COPIED) {
            session.execute(
                "ALTER TABLE safety.%s WITH compaction = %s".formatted(table, listed(table, 0)));
            Compactions.of(victim, new DataFiles(victim.settings().fast(), table).all());
          }
          requireHotRows(COPIED, "they cooled and were compacted");
          for (String table : COPIED) {
            Compactions.all(victim, table);
          }
          requireHotRows(COPIED, "all was compacted");
        });
  }

  @Test
  @Order(2)
  void shouldHaveAllThatWasAcknowledgedAfterARepair() {
    told(this::repair);
    for (int cycle = 2; cycle <= CYCLES; cycle++) {
      begin(cycle);
      told(() -> lose(random.nextBoolean()));
      told(this::repair);
    }
    System.out.printf("lost %d seed %d: %s%n", CYCLES, SEED, steps);
  }

  /**
   * Writes rows to slow and has the victim copy those of the first numbers; of tables called newer,
   * they have an older version in another slow SSTable.
   *
   * @return the slow SSTables that have what was written last
   */
  private List<Path> haveCopied() throws IOException {
    List<Path> last = new ArrayList<>();
    for (String table : COPIED) {
      session.execute(
          "CREATE TABLE safety.%s (id int PRIMARY KEY, v int) WITH compaction = %s"
              .formatted(table, listed(table, 0)));
    }
    Tiered.awaitSchema(victim);
    for (String table : COPIED) {
      DataFiles slow = new DataFiles(victim.settings().slow(), table);
      if (table.startsWith("newer")) {
        write(table, 1);
      }
      Set<Path> older = slow.all();
      write(table, 2);
      Set<Path> newer = slow.all();
      newer.removeAll(older);
      assertThat(newer).as("slow SSTables of %s", table).hasSize(1);
      last.addAll(newer);
      session.execute(
          "ALTER TABLE safety.%s WITH compaction = %s".formatted(table, listed(table, HOT)));
    }
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              requireHotRows(COPIED, "they were written");
              return COPIED.stream().allMatch(table -> viewed(victim, table, "copied_rows") >= HOT);
            });
    assertThat(last).as("nothing was compacted").allMatch(Files::exists);
    return last;
  }

  private void write(String table, int version) throws IOException {
    for (int id = 0; id < ROWS; id++) {
      session.execute(
          SimpleStatement.newInstance(
                  "INSERT INTO safety." + table + " (id, v) VALUES (?, ?)", id, version)
              .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    try (NodeJmx jmx = victim.jmx()) {
      jmx.flush(CheckedTable.KEYSPACE, table);
    }
  }

  /** The rows below {@code hot} are hot; nothing is compacted unless the test says so. */
  private static String listed(String table, int hot) throws IOException {
    Path list = dir.resolve("hot-" + hot);
    Files.write(list, IntStream.range(0, hot).mapToObj(id -> String.format("%08x", id)).toList());
    return ("{'class': 'io.kasane.tier.HeatTieredCompactionStrategy', 'heat_policy': 'listed',"
            + " 'heat_list': '%s', 'min_threshold': 32, 'hot_min_threshold': 32,"
            + " 'tier_mode': '%s'}")
        .formatted(list.getFileName(), table.substring(table.indexOf('_') + 1));
  }

  private void requireHotRows(List<String> of, String after) {
    Node coordinator = Tiered.coordinator(session, victim);
    Map<String, Integer> right = new TreeMap<>();
    Map<String, Integer> all = new TreeMap<>();
    for (String table : of) {
      all.put(table, HOT);
      right.put(table, 0);
      for (int id = 0; id < HOT; id++) {
        Row row =
            session
                .execute(
                    SimpleStatement.newInstance(
                            "SELECT v FROM safety." + table + " WHERE id = ?", id)
                        .setNode(coordinator)
                        .setConsistencyLevel(NodeLocal.INSTANCE))
                .one();
        right.merge(table, row != null && row.getInt("v") == 2 ? 1 : 0, Integer::sum);
      }
    }
    assertThat(right).as("hot rows with their last version after %s", after).isEqualTo(all);
  }

  private static void ownNetwork(NodeSettings.Builder settings) {
    settings
        .network("127." + (150 + place() / 250) + "." + place() % 250)
        .heap("512m")
        .fastQuota(ByteSize.parse("8MiB"))
        .syncEveryWrite()
        .kasaneYaml("key_lists_directory", dir.toString())
        .jvmFlag("-Dcassandra.enable_nodelocal_queries=true")
        .yaml("hinted_handoff_enabled", false) // what a node missed only a repair brings
        .yaml(
            "write_request_timeout", "10s") // writes at ALL wait so long for a node that is killed
        .yaml("commitlog_segment_size", "1MiB")
        .yaml("commitlog_total_space", "16MiB")
        .yaml("concurrent_compactors", 2)
        .yaml("compaction_throughput", "0MiB/s")
        .yaml("auto_snapshot", false);
  }

  /** Not merely free addresses: another cluster would find them free while a node is down. */
  private static int place() {
    return (int) (ProcessHandle.current().pid() % 5_000);
  }

  private void createTables() {
    session.execute(
        "CREATE KEYSPACE safety WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 2}");
    Tiered.awaitSchema(nodes.get(0)); // the next statement goes to the other node
    for (CheckedTable<?> table : tables) {
      String mode = table.name().substring(0, table.name().indexOf('_'));
      session.execute(
          "CREATE TABLE %s (%s) WITH compaction = %s"
              .formatted(table.qualifiedName(), table.columns(), TIERED.formatted(mode)));
    }
    Tiered.awaitSchema(nodes.get(0));
    tables.forEach(table -> table.connect(session));
    tables.forEach(table -> table.writingAt(DefaultConsistencyLevel.ALL));
  }

  /** A driver whose schema refresh once failed while it reconnects answers no ALTER any more. */
  private void connect() {
    if (session != null) {
      session.closeAsync();
    }
    session = nodes.get(0).connect();
    session.setSchemaMetadataEnabled(false);
  }

  private void lose(boolean orderly) throws Exception {
    loadAndStop(orderly);
    deleteOne();
    for (Path source : copiedFrom) {
      DataFiles.delete(source);
    }
    copiedFrom.clear();
    victim.start().waitUntilReady();
    Tiered.awaitAllSeeAll(nodes);
    connect();
    tables.forEach(table -> table.connect(session));
    awaitAnswers("tier_rows");
  }

  private void repair() throws IOException {
    if (random.nextBoolean()) {
      coolAndCompact();
    }
    steps.add("repair");
    List<String> repair = new ArrayList<>(List.of("repair", "-full", CheckedTable.KEYSPACE));
    tables.forEach(table -> repair.add(table.name()));
    nodetool(victim, repair.toArray(String[]::new));
    verifyEach();
    coolAndCompact();
    verifyEach();
  }

  private void loadAndStop(boolean orderly) throws Exception {
    long copied = copiedRows(victim);
    long extraMillis = 1_000L + random.nextInt(2_000);
    steps.add((orderly ? "stop " : "kill ") + victim.settings().index());
    try (Traffic traffic = Traffic.start(nodes, tables, READ_SHARE, random)) {
      Awaitility.await().atMost(PATIENCE).until(() -> copiedRows(victim) > copied);
      Thread.sleep(extraMillis); // how long it runs is drawn, nothing is waited for
      traffic.endsNow();
      if (orderly) {
        victim.stop();
      } else {
        victim.kill9();
      }
      traffic.await();
    }
  }

  private void deleteOne() throws IOException {
    List<List<Path>> slow = new ArrayList<>();
    for (CheckedTable<?> table : tables) {
      boolean hasCopies = !new DataFiles(victim.settings().fast(), table.name()).all().isEmpty();
      List<Path> found = new DataFiles(victim.settings().slow(), table.name()).settled();
      if (hasCopies && !found.isEmpty()) {
        slow.add(found);
      }
    }
    assertThat(slow).as("slow SSTables of tables with copies").isNotEmpty();
    List<Path> of = slow.get(random.nextInt(slow.size()));
    Path lost = of.get(random.nextInt(of.size()));
    steps.add("delete " + lost);
    DataFiles.delete(lost);
  }

  private void awaitAnswers(String table) {
    for (LocalNode node : nodes) {
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> viewed(node, table, "hot_keys") >= 0);
    }
  }

  /** Nobody reads now. What cooled leaves fast when its SSTables are compacted. */
  private void coolAndCompact() throws IOException {
    boolean major = random.nextInt(3) == 0;
    steps.add(major ? "cool, compact all" : "cool, compact fast");
    for (CheckedTable<?> table : tables) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> viewed(victim, table.name(), "hot_keys") == 0);
      if (major) {
        Compactions.all(victim, table.name());
      } else {
        Compactions.of(victim, new DataFiles(victim.settings().fast(), table.name()).all());
      }
    }
  }

  private void verifyEach() {
    for (LocalNode node : nodes) {
      steps.add("verify " + node.settings().index());
      Node coordinator = Tiered.coordinator(session, node);
      tables.forEach(table -> table.verify(coordinator, NodeLocal.INSTANCE));
    }
  }

  private long copiedRows(LocalNode node) {
    return tables.stream().mapToLong(table -> viewed(node, table.name(), "copied_rows")).sum();
  }

  private long viewed(LocalNode node, String table, String column) {
    return session
        .execute(
            SimpleStatement.newInstance(
                    "SELECT "
                        + column
                        + " FROM kasane_views.tables WHERE keyspace_name = ? AND table_name = ?",
                    CheckedTable.KEYSPACE,
                    table)
                .setNode(Tiered.coordinator(session, node)))
        .one()
        .getLong(0);
  }
}
