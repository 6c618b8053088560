/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static io.kasane.testkit.StockTools.cleanup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A ring of nodes with Kasane: replicas agree whatever disk their rows lie on. */
@Tag("node")
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
  private static final int ROWS = 300;
  private static final int HOT = 30;
  private static final String INCONSISTENT =
      "org.apache.cassandra.metrics:type=Table,keyspace=k,scope=compared,name=";

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private LocalNode third;
  private CqlSession session;
  private TieredRows rows;

  @BeforeAll
  void startTwo() {
    String nodeLocal = "-Dcassandra.enable_nodelocal_queries=true";
    cluster = Tiered.nodes(3, dir, settings -> settings.heap("512m").jvmFlag(nodeLocal));
    cluster.node(1).start().waitUntilReady();
    cluster.node(2).start().waitUntilReady();
    session = cluster.node(1).connect();
    Tiered.awaitAllSeeAll(cluster.nodes().subList(0, 2));
    Tiered.createKeyspace(session, 2);
    Tiered.awaitSchema(cluster.node(1));
    rows = new TieredRows(cluster.node(1), session, "rows", Tiered.onRequest());
    rows.at(DefaultConsistencyLevel.QUORUM);
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    if (third != null) {
      third.kill9();
    }
    cluster.close();
  }

  /** The first node compares repaired rows, the second has copies and is not set to. */
  @Test
  @Order(1)
  void shouldLeaveNothingOutOfReadsThatAnotherNodeCompares() throws IOException {
    LocalNode first = cluster.node(1);
    LocalNode second = cluster.node(2);
    TieredRows compared =
        new TieredRows(first, session, "compared", Tiered.byHeat())
            .at(DefaultConsistencyLevel.ALL)
            .write(0, ROWS);
    Tiered.flush(first, "compared");
    Tiered.flush(second, "compared");
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              readOn(second, NodeLocal.INSTANCE, 0, HOT);
              long before = slowReads(second);
              readOn(second, NodeLocal.INSTANCE, 0, HOT);
              assertThat(slowReads(second)).isEqualTo(before);
            });

    // Only the second node gets these updates, so answers differ, and are then compared in full.
    for (int id = 0; id < HOT / 2; id++) {
      on(
          second,
          NodeLocal.INSTANCE,
          "INSERT INTO k.compared (id, version, payload) VALUES (?, ?, ?)",
          id,
          2,
          TieredRows.payload(id, 2));
    }
    track(first, "enable");
    long before = slowReads(second);
    readOn(first, DefaultConsistencyLevel.ALL, 0, HOT / 2);
    assertThat(slowReads(second)).isEqualTo(before + HOT / 2);
    try (NodeJmx jmx = first.jmx()) {
      assertThat(jmx.attribute(INCONSISTENT + "RepairedDataInconsistenciesConfirmed", "Count"))
          .isEqualTo(0L);
    }

    // What was asked for in the same way, but is not compared, is read from fast as before.
    readOn(first, DefaultConsistencyLevel.ALL, HOT / 2, HOT);
    assertThat(slowReads(second)).isEqualTo(before + HOT / 2);
    track(first, "disable");
    session.execute("DROP TABLE " + compared.qualified());
  }

  private static void track(LocalNode node, String whether) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageProxy",
          whether + "RepairedDataTrackingForPartitionReads",
          List.of());
    }
  }

  private ResultSet on(LocalNode node, ConsistencyLevel level, String cql, Object... values) {
    return session.execute(
        SimpleStatement.newInstance(cql, values)
            .setConsistencyLevel(level)
            .setNode(Tiered.coordinator(session, node)));
  }

  private void readOn(LocalNode node, ConsistencyLevel level, int from, int to) {
    for (int id = from; id < to; id++) {
      Row row = on(node, level, "SELECT * FROM k.compared WHERE id = ?", id).one();
      assertThat(row.getString("payload"))
          .as("row %d", id)
          .isEqualTo(TieredRows.payload(id, row.getInt("version")));
    }
  }

  private long slowReads(LocalNode node) {
    return on(
            node,
            DefaultConsistencyLevel.ONE,
            "SELECT reads_slow FROM kasane_views.tables"
                + " WHERE keyspace_name = 'k' AND table_name = 'compared'")
        .one()
        .getLong(0);
  }

  @Test
  @Order(2)
  void shouldStreamToANodeThatJoins() {
    rows.write(0, ROWS).read(0, HOT); // a quorum of two is both
    for (LocalNode node : cluster.nodes().subList(0, 2)) {
      Tiered.compact(node, rows.table());
      assertThat(rows.files(node).settled().fast()).isNotEmpty();
    }
    rows.write(ROWS / 2, ROWS);

    third = Tiered.joining(cluster, 3, 1, 2);
    third.start().waitUntilReady();
    Tiered.awaitAllSeeAll(nodes());

    assertThat(rows.files(third).settled().slow()).isNotEmpty();
    assertThat(rows.files(third).fast()).isEmpty();
    rows.requireAll("bootstrap", DefaultConsistencyLevel.ALL);
    for (LocalNode node : cluster.nodes().subList(0, 2)) {
      cleanup(node, Tiered.KEYSPACE);
    }
    rows.requireAll("cleanup", DefaultConsistencyLevel.ALL);
    Map<String, Integer> replicas = new HashMap<>();
    for (LocalNode node : nodes()) {
      Tiered.compact(node, rows.table()); // then each key is in one SSTable
      rows.files(node).settled().keys().all().forEach(key -> replicas.merge(key, 1, Integer::sum));
    }
    assertThat(replicas).hasSize(ROWS);
    assertThat(replicas.values()).containsOnly(2);
  }

  private List<LocalNode> nodes() {
    return List.of(cluster.node(1), cluster.node(2), third);
  }

  @Test
  @Order(3)
  void shouldServeStockCqlsh() throws Exception {
    Process version = new ProcessBuilder("sh", "-c", "cqlsh --version").start();
    assumeTrue(
        version.waitFor() == 0,
        "no working cqlsh on the PATH; install one with 'pip install cqlsh'");

    String out =
        cqlsh(
            "SELECT count(*) FROM k.rows; SELECT version FROM k.rows WHERE id = 1;"
                + " SELECT table_name, placement FROM kasane_views.tables; DESCRIBE TABLE k.rows");

    assertThat(out)
        .contains("HeatTieredCompactionStrategy")
        .containsPattern("\\s" + ROWS + "\\s")
        .containsPattern("rows \\|\\s+heat");
  }

  private String cqlsh(String statements) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "cqlsh",
                "--request-timeout=60",
                "-e",
                statements,
                cluster.node(1).settings().address(),
                Integer.toString(cluster.node(1).settings().nativePort()))
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
