/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampSessionBuilder;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.RampOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Arenas of several nodes under readers, while the ring changes and replicas are repaired. All
 * writes are at ALL: each replica has acknowledged what its arena shows.
 */
@Tag("node")
@Tag("long")
class ArenaRingIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Nodes hear of a change of the ring by gossip, once a second. */
  private static final Duration GOSSIP = Duration.ofSeconds(2);

  /** The reader of the first two. */
  private static final int BOTH = 12;

  @TempDir private Path dir;

  private final Map<Integer, RampSession> readers = new LinkedHashMap<>();
  private LocalCluster cluster;
  private CqlSession cql;

  private void start(Consumer<NodeSettings.Builder> change) {
    AtomicInteger number = new AtomicInteger();
    cluster =
        RampNodes.of(
            3,
            dir.resolve("nodes"),
            settings -> {
              change.accept(
                  settings
                      .withKasane(true)
                      .heap("600m")
                      .yaml("num_tokens", 16)
                      .yaml("initial_token", null)
                      .yaml("auto_bootstrap", true)
                      // Else writes are acknowledged of which a node that joins hears too late.
                      .jvmFlag("-Dcassandra.ring_delay_ms=5000")
                      .kasaneYaml(
                          "arenas",
                          Map.of(
                              "directory",
                              arenas(number.incrementAndGet()).toString(),
                              "slot",
                              "1KiB",
                              "tables",
                              Map.of("shop.pairs", "1MiB"))));
            });
    joining(1).start().waitUntilReady(PATIENCE);
    joining(2).start().waitUntilReady(PATIENCE);
    cql = RampNodes.connect(cluster.node(1));
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 2}");
  }

  private Path arenas(int node) {
    return dir.resolve("arenas" + node);
  }

  /** A node that asks the first one for the ring. */
  private LocalNode joining(int number) {
    Object seeds =
        List.of(
            Map.of(
                "class_name",
                "org.apache.cassandra.locator.SimpleSeedProvider",
                "parameters",
                List.of(Map.of("seeds", cluster.node(1).settings().address()))));
    return cluster.node(number).with(settings -> settings.yaml("seed_provider", seeds));
  }

  @AfterEach
  void stop() {
    readers.values().forEach(RampSession::close);
    readers.clear();
    if (cql != null) {
      cql.close();
    }
    cluster.kill9();
    DirectoryUse.delete(dir.resolve("nodes"));
  }

  private RampSessionBuilder session() {
    return RampSession.builder(cql, "shop")
        .options(RampOptions.defaults().withDeadline(Duration.ofSeconds(10)))
        .levels(
            levels ->
                levels
                    .withWrites(ConsistencyLevel.ALL, ConsistencyLevel.ALL)
                    .withFirstRound(ConsistencyLevel.ONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lsm", "tiered", "lmdb"})
  void nothingHalfAndNothingOlderIsReadWhateverHappensToTheRing(String kind) throws Exception {
    start(
        settings -> {
          if (kind.equals("lmdb")) {
            settings.engine("lmdb");
          }
        });
    try (RampSession writes = session().build();
        PairsUnderLoad pairs = new PairsUnderLoad(writes, GOSSIP)) {
      RampTable<Long, Long> table = writes.table("pairs", Codecs.int64(), Codecs.int64());
      if (kind.equals("tiered")) {
        cql.execute(
            "ALTER TABLE shop.pairs WITH compaction = {'class':"
                + " 'io.kasane.tier.HeatTieredCompactionStrategy', 'fast_quota': '8MiB'}");
      }
      pairs.write(table);
      read(1, pairs);
      read(2, pairs);
      RampSession both = session().arenas(List.of(arenas(1), arenas(2)), 2).build();
      readers.put(BOTH, both);
      pairs.read("reader of both", both, both.table("pairs", Codecs.int64(), Codecs.int64()));
      during("nothing", pairs, () -> null);
      assertThat(hits(both)).isPositive();
      assertThat(pairs.lateReads()).as("while nothing happens to the ring").isZero();
      during("a full repair", pairs, () -> nodetool(cluster.node(1), "repair", "--full", "shop"));
      during("an incremental repair", pairs, () -> nodetool(cluster.node(2), "repair", "shop"));
      assertThat(pairs.lateReads()).as("while nothing happens to the ring").isZero();
      during("a bootstrap", pairs, () -> joining(3).start().waitUntilReady(PATIENCE));
      read(3, pairs);
      during("a cleanup", pairs, () -> nodetool(cluster.node(1), "cleanup", "shop"));
      during("a decommission", pairs, () -> nodetool(cluster.node(3), "decommission", "--force"));
      cluster.node(3).kill9();
      during("its end", pairs, () -> null);
    }
  }

  private void read(int node, PairsUnderLoad pairs) {
    RampSession session = session().arenas(arenas(node)).build();
    readers.put(node, session);
    pairs.read("reader " + node, session, session.table("pairs", Codecs.int64(), Codecs.int64()));
  }

  /** Goes on until arenas of the first two, which always serve, have answered some more. */
  private void during(String what, PairsUnderLoad pairs, Callable<?> step) throws Exception {
    step.call();
    long puts = pairs.puts();
    Map<Integer, Long> hits = new LinkedHashMap<>();
    readers.forEach((node, session) -> hits.put(node, hits(session)));
    Awaitility.await(what)
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                pairs.puts() > puts + 200
                    && hits(readers.get(1)) > hits.get(1) + 1_000
                    && hits(readers.get(2)) > hits.get(2) + 1_000);
    System.out.println("ArenaRingIT: " + what + ": " + pairs);
    assertThat(pairs.wrong()).as(what).isEmpty();
  }

  private static long hits(RampSession session) {
    return session.metrics().arenas().orElseThrow().hits();
  }
}
