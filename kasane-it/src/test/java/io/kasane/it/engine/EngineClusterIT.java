/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.cleanup;
import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.it.tier.NodeLocal;
import io.kasane.it.tier.Tiered;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Long because one ring goes through all of it.
 *
 * <p>Nodes whose cassandra.yaml each names another engine for the same memtable, through what
 * happens to a ring. Replicas are read locally, one by one, since a read of several repairs what it
 * compares; a table of Cassandra's own engine that was told the same says what is right.
 *
 * <p>{@code -Dkasane.seed=N} replays the statements of a run, {@code
 * -Dkasane.cluster.engines=redis,innodb,lsm,redis} gives the nodes other engines.
 */
@Tag("node")
@Tag("campaign")
@Tag("cluster")
class EngineClusterIT {
  private static final long SEED = TestRun.seed();

  /** Node by node; the last one takes the place of the first. */
  private static final List<String> ENGINES =
      List.of(System.getProperty("kasane.cluster.engines", "lsm,rocksdb,lmdb,lmdb").split(","));

  private static final String OWN = "default";
  private static final String STORE = "store";
  private static final int STATEMENTS_BETWEEN_FLUSHES = 150;
  private static final int MORE = TestRun.size("kasane.cluster.more", 30, 100);
  private static final int SMALL = 100;

  private static final int RING_DELAY_MILLIS = TestRun.size("kasane.cluster.delay", 2_000, 5_000);

  /** Else a full repair and a replacement, which move most. */
  private static final boolean IS_WHOLE = TestRun.size("kasane.cluster.whole", 0, 1) > 0;

  private static final int ROWS_PER_SECOND = TestRun.size("kasane.cluster.rows", 30, 200);

  /** On engines, with what Cassandra's metrics call them. */
  private static final List<String> TABLES =
      List.of(
          "type=Table,keyspace=twins,scope=rows_store",
          "type=IndexTable,keyspace=twins,scope=rows_store.by_v_store",
          "type=Table,keyspace=twins,scope=counts_store",
          "type=Table,keyspace=k,scope=small");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final CqlTwins twins = new CqlTwins(List.of(OWN, STORE), SEED).withRowsOnly();
  private final long began = System.nanoTime();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private LocalCluster cluster;
  private LocalNode first;
  private LocalNode second;
  private LocalNode third;
  private LocalNode replacement;
  private final EngineRing ring = new EngineRing();

  /** Tables of their own, which are written to while the ring changes. */
  private final RingLoad load = new RingLoad(ring, List.of(OWN, STORE), ROWS_PER_SECOND);

  @BeforeEach
  void start() {
    cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .nodes(ENGINES.size())
            .each(
                settings ->
                    settings
                        .heap("512m")
                        .syncEveryWrite()
                        .yaml("hinted_handoff_enabled", false)
                        .jvmFlag("-Dcassandra.enable_nodelocal_queries=true")
                        .jvmFlag("-Dcassandra.ring_delay_ms=" + RING_DELAY_MILLIS)
                        .jvmFlag("-Dcassandra.broadcast_interval_ms=" + RING_DELAY_MILLIS)
                        .jvmFlag("-Dcassandra.batchlog.replay_timeout_in_ms=5000"))
            .build();
    first = node(1, 1, 2, 3).with(settings -> settings.kasaneYaml("kinds", Map.of("rack1", 5)));
    second = node(2, 1, 2, 3);
    third = node(3, 1, 2, 3);
    replacement =
        node(4, 2, 3)
            .with(
                settings ->
                    settings
                        .yaml("auto_bootstrap", true)
                        .yaml("initial_token", null)
                        .jvmFlag(
                            "-Dcassandra.replace_address_first_boot="
                                + first.settings().address()));
  }

  private LocalNode node(int number, int... seeds) {
    return cluster
        .node(number)
        .with(
            settings -> {
              EngineNodes.memtables(settings, Map.of(OWN, "", STORE, engine(number)));
              settings.yaml("seed_provider", Tiered.seeds(cluster, seeds));
            });
  }

  private static String engine(int number) {
    String engine = ENGINES.get(number - 1);
    return engine.equals("lsm") ? "" : engine;
  }

  @AfterEach
  void stop() {
    load.close();
    ring.close();
    Stream.of(first, second, third, replacement).forEach(LocalNode::kill9);
  }

  @Test
  void shouldKeepReplicasAlikeWhateverTheirEnginesAre() throws Exception {
    try {
      create();
      readFromTheOtherKinds();
      load(TestRun.size("kasane.cluster.statements", 100, 1_400));
      alter();
      load(MORE);
      missWritesAndRepair();
      if (IS_WHOLE) {
        repairIncrementally();
        truncate();
      }
      replace();
      if (IS_WHOLE) {
        decommission();
        bootstrap();
      }
      for (LocalNode node : List.of(first, second, third, replacement)) {
        assertThat(node.log().errors())
            .as("log of %s", node)
            .allMatch(EngineClusterIT::isOfWhoWasReplaced);
      }
    } catch (Throwable e) {
      throw new AssertionError("seed " + SEED + ", nodes in " + dir + ": " + e, e);
    }
  }

  /** Cassandra says so of a write that still counts on a node which gossip has just forgotten. */
  private static boolean isOfWhoWasReplaced(String error) {
    return error.contains("FailureDetector.java") && error.contains("Unknown endpoint");
  }

  // ---- what happens to the ring

  private void create() {
    first.start().waitUntilReady();
    second.start();
    third.start();
    running(first, second, third);
    to(first, DefaultConsistencyLevel.QUORUM);
    twins.create(3);
    EngineNodes.createKeyspace(ring.session(), 3);
    ring.awaitSchema();
    EngineNodes.createTable(ring.session(), "small", STORE);
    ring.awaitSchema();
    writeSmall(first, DefaultConsistencyLevel.QUORUM, 0, SMALL);
    load.create();
  }

  /** Two of three replicas answer a read: whoever is asked, not the one that is to be avoided. */
  private void readFromTheOtherKinds() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              long before = localReads(first);
              long others = localReads(second) + localReads(third);
              for (LocalNode coordinator : ring.nodes()) {
                readSmall(coordinator, SMALL);
              }
              long more = localReads(second) + localReads(third) - others;
              assertThat(more).isGreaterThanOrEqualTo(5 * SMALL);
              assertThat(localReads(first) - before).isLessThanOrEqualTo(more / 50); // speculation
            });
    for (LocalNode node : ring.nodes()) {
      SimpleStatement replicas =
          SimpleStatement.newInstance("SELECT rack, severity FROM kasane_views.replicas");
      List<Row> seen =
          ring.session().execute(ring.at(node, DefaultConsistencyLevel.ONE).apply(replicas)).all();
      assertThat(seen)
          .as("as %s sees all", node)
          .extracting(row -> row.getString(0) + " " + row.getDouble(1))
          .containsExactlyInAnyOrder("rack1 5.0", "rack1 0.0", "rack1 0.0");
    }
  }

  private void readSmall(LocalNode coordinator, int rows) {
    UnaryOperator<SimpleStatement> at = ring.at(coordinator, DefaultConsistencyLevel.QUORUM);
    for (int id = 0; id < rows; id++) {
      SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM k.small WHERE id = ?", id);
      assertThat(ring.session().execute(at.apply(read)).one().getString(0)).isEqualTo("v" + id);
    }
  }

  private static long localReads(LocalNode node) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      return ((Number)
              jmx.attribute(
                  "org.apache.cassandra.metrics:type=Table,keyspace=k,scope=small,name=ReadLatency",
                  "Count"))
          .longValue();
    }
  }

  private void missWritesAndRepair() throws Exception {
    ring.session().execute("TRUNCATE k.small");
    List<String> before = rows(second, STORE);
    to(first, DefaultConsistencyLevel.QUORUM);
    twins.writeShortLived();
    second.stop();
    running(first, third);
    load(2 * MORE);
    writeSmall(third, DefaultConsistencyLevel.QUORUM, 0, SMALL);
    second.start();
    running(first, second, third);
    assertThat(small(second)).as("rows of before it was truncated").isZero();
    assertThat(rows(second, STORE))
        .as("what missed writes")
        .isEqualTo(before)
        .isNotEqualTo(rows(first, STORE));
    load.during(
        () -> {
          nodetool(second, "repair", "--full", CqlTwins.KEYSPACE);
          nodetool(first, "repair", "--full", EngineNodes.KEYSPACE);
        });
    requireAlike("a full repair");
    // Not of odd rows: replicas may have other bytes for one NaN, in stock Cassandra, too.
    assertThat(
            nodetool(
                third,
                "repair",
                "--full",
                "--preview",
                CqlTwins.KEYSPACE,
                "rows_default",
                "rows_store",
                "counts_default",
                "counts_store"))
        .as("also what is deleted is alike")
        .contains("Previewed data was in sync");
    requireSmall(SMALL);
    awaitMovedIn(second, TABLES);
  }

  /** Each replica has rows that no other has. */
  private void repairIncrementally() throws Exception {
    int from = SMALL;
    for (LocalNode node : ring.nodes()) {
      writeSmall(node, NodeLocal.INSTANCE, from, from + SMALL);
      from += SMALL;
      EngineRing.flush(node, EngineNodes.KEYSPACE);
      assertThat(small(node)).as("before a repair").isEqualTo(2 * SMALL);
    }
    alter();
    load(MORE);
    load.during(
        () -> {
          nodetool(third, "repair", EngineNodes.KEYSPACE);
          nodetool(third, "repair", CqlTwins.KEYSPACE);
        });
    requireSmall(4 * SMALL);
    requireAlike("an incremental repair");
  }

  /** What validations wrote of the rows goes while the nodes run. */
  private void truncate() throws Exception {
    nodetool(third, "repair", "--full", EngineNodes.KEYSPACE);
    awaitNoSSTables(second);
    awaitNoSSTables(third);
    ring.session().execute("TRUNCATE k.small");
    requireSmall(0);
  }

  private void replace() throws Exception {
    if (IS_WHOLE) {
      first.kill9();
    } else {
      first.stop(); // others need not find out
    }
    running(second, third);
    load(MORE);
    writeSmall(second, DefaultConsistencyLevel.QUORUM, 0, SMALL);
    load.during(() -> replacement.start().waitUntilReady(Duration.ofMinutes(4)));
    running(second, third, replacement);
    requireAlike("a replacement");
    requireSmall(SMALL);
    awaitMovedIn(replacement, TABLES);
    requireAlike("what was streamed is moved in");
  }

  /** Who is no replica of a range any more misses writes of it, and becomes one again. */
  private void decommission() throws Exception {
    alter();
    load(MORE);
    for (String keyspace : List.of(CqlTwins.KEYSPACE, EngineNodes.KEYSPACE)) {
      ring.session()
          .execute(
              "ALTER KEYSPACE "
                  + keyspace
                  + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
    }
    ring.awaitSchema();
    cleanUp();
    load(MORE);
    // Cassandra's own keyspaces want three replicas.
    load.during(() -> nodetool(third, "decommission", "--force"));
    third.stop();
    running(second, replacement);
    load.requireReplicas(2, "a decommission");
    requireAlike("a decommission");
    requireIndexes();
    awaitMovedIn(second, TABLES);
    awaitMovedIn(replacement, TABLES);
    requireAlike("what was streamed is moved in");
    requireSmall(SMALL);
  }

  /** The node that has left comes back without anything. */
  private void bootstrap() throws Exception {
    LocalNode joining =
        node(3, 2, 4)
            .with(
                settings ->
                    settings
                        .yaml("auto_bootstrap", true)
                        .yaml("initial_token", null)
                        // Else it asks for rows before it knows of keyspaces, and gets none.
                        .jvmFlag("-Dcassandra.ring_delay_ms=15000"));
    DirectoryUse.delete(joining.settings().dir());
    load.during(() -> joining.start().waitUntilReady(Duration.ofMinutes(4)));
    third = joining;
    running(second, replacement, third);
    for (LocalNode node : ring.nodes()) {
      EngineRing.flush(node, EngineNodes.KEYSPACE); // Cassandra's cleanup leaves memtables alone
      cleanup(node, EngineNodes.KEYSPACE);
    }
    load.requireReplicas(2, "a bootstrap");
    awaitMovedIn(third, List.of("type=Table,keyspace=k,scope=small"));
    assertThat(ring.nodes().stream().mapToLong(this::small).sum()).isEqualTo(2 * SMALL);
  }

  /** Each row is on as many nodes as the keyspace has replicas now, and counted so. */
  private void cleanUp() throws Exception {
    assertThat(ring.nodes().stream().mapToLong(this::small).sum()).isEqualTo(3 * SMALL);
    for (LocalNode node : ring.nodes()) {
      cleanup(node, EngineNodes.KEYSPACE);
      cleanup(node, CqlTwins.KEYSPACE);
    }
    assertThat(ring.nodes().stream().mapToLong(this::small).sum()).isEqualTo(2 * SMALL);
    twins.withoutIndex();
    to(ring.nodes().get(0), DefaultConsistencyLevel.QUORUM);
    RowTexts.requireAlike("after a cleanup", twins.scan(STORE), twins.scan(OWN));
    twins.requireIndexOf(STORE);
  }

  /**
   * Also when rows have come back that a cleanup had removed. Cassandra's own indexes have not: a
   * cleanup leaves deletions there that are as new as the rows, and win.
   */
  private void requireIndexes() {
    for (LocalNode node : ring.nodes()) {
      to(node, NodeLocal.INSTANCE);
      if (isOnEngine(node)) {
        twins.requireIndexOf(STORE);
      }
    }
  }

  private void running(LocalNode... nodes) {
    ring.running(nodes);
    twins.use(ring.session());
    say("%d nodes run".formatted(nodes.length));
  }

  private void say(String what) {
    System.out.printf(
        "%4d s, seed %d: %s%n",
        Duration.ofNanos(System.nanoTime() - began).toSeconds(), SEED, what);
  }

  // ---- what is written

  /** Statements to any coordinator, and flushes between. */
  private void load(int statements) throws IOException {
    for (int i = 1; i <= statements; i++) {
      to(ring.any(random), DefaultConsistencyLevel.QUORUM);
      twins.step();
      if (i % STATEMENTS_BETWEEN_FLUSHES == 0) {
        EngineRing.flush(ring.any(random), CqlTwins.KEYSPACE);
      }
    }
    say(statements + " statements");
  }

  /** Not all nodes know at once. */
  private void alter() {
    to(ring.nodes().get(0), DefaultConsistencyLevel.QUORUM);
    twins.alterAll();
    ring.awaitSchema();
  }

  private void to(LocalNode coordinator, ConsistencyLevel level) {
    twins.use(ring.at(coordinator, level));
  }

  private void writeSmall(LocalNode coordinator, ConsistencyLevel level, int from, int to) {
    UnaryOperator<SimpleStatement> at = ring.at(coordinator, level);
    String insert = "INSERT INTO k.small (id, c, v) VALUES (?, ?, ?)";
    for (int id = from; id < to; id++) {
      ring.session().execute(at.apply(SimpleStatement.newInstance(insert, id, id % 7, "v" + id)));
    }
  }

  // ---- what a node has itself

  private List<String> rows(LocalNode node, String memtable) {
    to(node, NodeLocal.INSTANCE);
    return twins.scan(memtable);
  }

  private void requireAlike(String after) {
    List<String> expected = rows(ring.nodes().get(0), OWN);
    for (LocalNode node : ring.nodes()) {
      for (String memtable : List.of(OWN, STORE)) {
        RowTexts.requireAlike(
            "%s on %s after %s".formatted(memtable, node, after), rows(node, memtable), expected);
      }
    }
    say(expected.size() + " rows alike on each replica after " + after);
  }

  private long small(LocalNode node) {
    SimpleStatement count = SimpleStatement.newInstance("SELECT COUNT(*) FROM k.small");
    return ring.session().execute(ring.at(node, NodeLocal.INSTANCE).apply(count)).one().getLong(0);
  }

  private void requireSmall(int rows) {
    for (LocalNode node : ring.nodes()) {
      assertThat(small(node)).as("rows of small on %s", node).isEqualTo(rows);
    }
  }

  /** SSTables of the tables on engines, and of their indexes. */
  private static List<Path> sstables(LocalNode node) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String keyspace : List.of(CqlTwins.KEYSPACE, EngineNodes.KEYSPACE)) {
      try (Stream<Path> files = Files.walk(node.settings().slow().resolve(keyspace))) {
        files
            .filter(file -> file.toString().endsWith("-Data.db"))
            .filter(file -> !file.toString().contains("/snapshots/"))
            .filter(
                file ->
                    isOf(file, "small") || isOf(file, "rows_store") || isOf(file, "counts_store"))
            .forEach(found::add);
      }
    }
    return found;
  }

  private static boolean isOf(Path file, String table) {
    return file.toString().contains("/" + table + "-");
  }

  private static boolean isOnEngine(LocalNode node) {
    return !engine(node.settings().index()).isEmpty();
  }

  private void awaitMovedIn(LocalNode node, List<String> tables) {
    if (isOnEngine(node)) {
      ring.awaitMovedIn(node, tables);
    }
  }

  /** Neither what waits to be moved in, nor what validations and streams left over. */
  private static void awaitNoSSTables(LocalNode node) {
    if (!isOnEngine(node)) {
      return;
    }
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .ignoreException(UncheckedIOException.class)
        .untilAsserted(() -> assertThat(sstables(node)).as("SSTables of %s", node).isEmpty());
  }
}
