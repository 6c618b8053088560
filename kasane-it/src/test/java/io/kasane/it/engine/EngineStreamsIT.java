/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.cleanup;
import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.it.tier.NodeLocal;
import io.kasane.it.tier.Tiered;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.testkit.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What nodes stream to one another of tables on engines and of tables that have none, while rows
 * are written and all nodes flush each second. Rows are counted replica by replica.
 */
@Tag("node")
@Tag("campaign")
@Tag("cluster")
class EngineStreamsIT {
  private static final Map<String, String> MEMTABLES =
      Map.of("default", "", "lmdb", "lmdb", "rocksdb", "rocksdb");
  private static final int ROWS_PER_SECOND = TestRun.size("kasane.streams.rows", 300, 600);
  private static final int ROWS_BEFORE = TestRun.size("kasane.streams.before", 1_000, 6_000);
  private static final int RING_DELAY_MILLIS = TestRun.size("kasane.streams.delay", 5_000, 8_000);
  private static final int LOST_ROWS = 3_000;

  private final long began = System.nanoTime();
  private final EngineRing ring = new EngineRing();
  private final RingLoad load =
      new RingLoad(ring, List.of("default", "lmdb", "rocksdb"), ROWS_PER_SECOND);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private LocalCluster cluster;

  private void cluster(int nodes, Consumer<NodeSettings.Builder> change) {
    cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .nodes(nodes)
            .each(
                settings -> {
                  settings
                      .heap("512m")
                      .yaml("hinted_handoff_enabled", false)
                      .yaml("write_request_timeout", "10s")
                      .yaml("range_request_timeout", "20s")
                      .jvmFlag("-Dcassandra.enable_nodelocal_queries=true")
                      .jvmFlag("-Dcassandra.ring_delay_ms=" + RING_DELAY_MILLIS)
                      .jvmFlag("-Dcassandra.broadcast_interval_ms=5000")
                      .jvmFlag("-Dcassandra.batchlog.replay_timeout_in_ms=5000");
                  EngineNodes.memtables(settings, MEMTABLES);
                  change.accept(settings);
                })
            .build();
  }

  private LocalNode joining(int number, int... seeds) {
    return cluster
        .node(number)
        .with(
            settings ->
                settings
                    .yaml("auto_bootstrap", true)
                    .yaml("seed_provider", Tiered.seeds(cluster, seeds)));
  }

  @AfterEach
  void stop() {
    load.close();
    ring.close();
    if (cluster != null) {
      cluster.nodes().forEach(LocalNode::kill9);
    }
  }

  @Test
  @Tag("long")
  void shouldKeepAllRowsWhileNodesComeAndGo() {
    cluster(4, settings -> settings.yaml("num_tokens", 16).yaml("initial_token", null));
    LocalNode first = cluster.node(1).with(s -> s.yaml("seed_provider", Tiered.seeds(cluster, 1)));
    LocalNode second = joining(2, 1);
    LocalNode third = joining(3, 1);
    first.start();
    first.waitUntilReady();
    second.start();
    ring.running(first, second);
    createAndLoad(2);

    under("a bootstrap", () -> third.start().waitUntilReady(Duration.ofMinutes(4)));
    ring.running(first, second, third);
    requireReplicas("a bootstrap");

    under("repairs", () -> repairAll("--full"));
    under("incremental repairs", () -> repairAll());
    requireReplicas("repairs");

    second.kill9();
    LocalNode fourth =
        joining(4, 1)
            .with(
                s ->
                    s.jvmFlag(
                        "-Dcassandra.replace_address_first_boot=" + second.settings().address()));
    ring.running(first, third);
    under("a replacement", () -> fourth.start().waitUntilReady(Duration.ofMinutes(4)));
    ring.running(first, third, fourth);
    requireReplicas("a replacement");

    String id = hostId(first, third);
    third.kill9();
    ring.running(first, fourth);
    under("removenode", () -> nodetool(first, "removenode", id));
    requireReplicas("removenode");

    ring.session()
        .execute(
            "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    ring.awaitSchema();
    cleanUp();
    load.requireReplicas(1, "a cleanup");
    under("a decommission", () -> nodetool(fourth, "decommission", "--force"));
    fourth.stop();
    ring.running(first);
    load.requireReplicas(1, "a decommission");
  }

  @Test
  @Tag("long")
  void shouldKeepAllRowsWhileTokensMoveAndReplicasAreRebuilt() {
    cluster(2, settings -> {});
    LocalNode first = cluster.node(1);
    LocalNode second = cluster.node(2);
    first.start();
    first.waitUntilReady();
    second.start();
    ring.running(first, second);
    createAndLoad(1);
    for (String token : List.of("-4000000000000000000", "3000000000000000000")) {
      under("a move", () -> nodetool(second, "move", token));
      cleanUp();
      load.requireReplicas(1, "a move");
    }
    ring.session()
        .execute(
            "ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
    ring.awaitSchema();
    under(
        "rebuilds",
        () -> {
          nodetool(first, "rebuild", "--keyspace", "k");
          nodetool(second, "rebuild", "--keyspace", "k");
        });
    load.requireReplicas(2, "rebuilds");
  }

  /**
   * What was streamed to a node that keeps SSTables bears the mark of a stream of the node that
   * lost its engine, and comes home whole.
   */
  @Test
  @Tag("long")
  void shouldGetAllRowsBackOfAnEngineThatIsLost() throws Exception {
    cluster(2, settings -> EngineNodes.memtables(settings, Map.of("default", "", "store", "lmdb")));
    LocalNode first = cluster.node(1);
    LocalNode second =
        cluster.node(2).with(s -> EngineNodes.memtables(s, Map.of("default", "", "store", "")));
    first.start();
    first.waitUntilReady();
    second.start();
    ring.running(first, second);
    EngineNodes.createKeyspace(ring.session(), 2);
    ring.awaitSchema();
    EngineNodes.createTable(ring.session(), "lost", "store");
    ring.awaitSchema();
    second.stop();
    ring.running(first);
    EngineNodes.write(ring.session(), "lost", 0, LOST_ROWS);
    second.start();
    ring.running(first, second);
    nodetool(first, "repair", "--full", "k");

    first.stop();
    EngineNodes.deleteAll(first.settings().engineDirectory().resolve("lmdb"));
    Files.delete(first.settings().slow().resolve(".kasane-engines"));
    first.start();
    ring.running(first, second);
    nodetool(first, "repair", "--full", "k");
    for (int restart = 0; restart < 2; restart++) {
      SimpleStatement count = SimpleStatement.newInstance("SELECT COUNT(*) FROM k.lost");
      long rows =
          ring.session().execute(ring.at(first, NodeLocal.INSTANCE).apply(count)).one().getLong(0);
      assertThat(rows).as("rows of the node that lost them").isEqualTo(LOST_ROWS);
      first.stop();
      first.start();
      ring.running(first, second);
    }
  }

  private void createAndLoad(int replicas) {
    EngineNodes.createKeyspace(ring.session(), replicas);
    ring.awaitSchema();
    load.create();
    load.write(ROWS_BEFORE);
    for (LocalNode node : ring.nodes()) {
      EngineNodes.flush(node);
    }
    say("loaded");
  }

  private void repairAll(String... options) {
    for (LocalNode node : ring.nodes()) {
      String[] arguments = new String[options.length + 2];
      arguments[0] = "repair";
      System.arraycopy(options, 0, arguments, 1, options.length);
      arguments[options.length + 1] = EngineNodes.KEYSPACE;
      assertThat(nodetool(node, arguments)).contains("Repair completed successfully");
    }
    if (options.length > 0) {
      // The tables that Cassandra itself has, under the same default.
      assertThat(nodetool(ring.nodes().get(0), "repair", "--full", "system_distributed"))
          .contains("Repair completed successfully");
    }
  }

  /** Cassandra cleans up SSTables, and no memtables. */
  private void cleanUp() {
    for (LocalNode node : ring.nodes()) {
      EngineNodes.flush(node);
      cleanup(node, EngineNodes.KEYSPACE);
    }
  }

  private void requireReplicas(String after) {
    cleanUp();
    load.requireReplicas(2, after);
  }

  private static String hostId(LocalNode asked, LocalNode of) {
    return nodetool(asked, "status")
        .lines()
        .filter(line -> line.contains(of.settings().address() + " "))
        .flatMap(line -> List.of(line.split("\\s+")).stream())
        .filter(word -> word.matches("[0-9a-f-]{36}"))
        .findFirst()
        .orElseThrow();
  }

  private void under(String what, Runnable run) {
    long from = System.nanoTime();
    int rows = load.during(run);
    Duration took = Duration.ofNanos(System.nanoTime() - from);
    say(
        "%s took %d s under %,d writes/s"
            .formatted(what, took.toSeconds(), rows * 3L * 1000 / Math.max(1, took.toMillis())));
  }

  private void say(String what) {
    System.out.printf("%4d s: %s%n", Duration.ofNanos(System.nanoTime() - began).toSeconds(), what);
  }
}
