/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.cli.Kasane;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.Ports;
import io.kasane.node.Rack;
import io.kasane.testkit.ThreadDump;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Boots real stock nodes: what every other node test stands on. The steps are those of one cluster
 * of two nodes, of which the second is killed.
 */
@Tag("node")
@Tag("pair")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LocalClusterIT {
  private static final int ROWS = 100;
  private static final Distribution DISTRIBUTION = Distribution.locate();

  @TempDir private static Path dir;
  private static LocalCluster cluster;

  @BeforeAll
  static void startAndWrite() {
    cluster =
        LocalCluster.builder(DISTRIBUTION, dir.resolve("cluster"))
            .nodes(2)
            .isolated()
            .each(settings -> settings.withKasane(false).heap("512m").syncEveryWrite())
            .each((index, settings) -> settings.in(Rack.of("rack" + index)))
            .build();
    cluster.start();
    try (CqlSession session = cluster.connect()) {
      session.setSchemaMetadataEnabled(true); // waits until all nodes agree on a table
      session.execute(
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
      for (int i = 0; i < ROWS; i++) {
        session.execute("INSERT INTO k.t (id, v) VALUES (?, ?)", i, "value " + i);
      }
    }
  }

  @AfterAll
  static void kill() {
    cluster.kill9();
  }

  @Test
  @Order(1)
  void shouldTellWhatThreadsDo() {
    assertThat(ThreadDump.of(cluster.node(2))).contains("COMMIT-LOG-WRITER");
  }

  @Test
  @Order(2)
  void shouldRefuseToStartWhereANodeRuns() {
    LocalNode node = cluster.node(1);
    assertThatThrownBy(node::start)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("already runs as process")
        .hasMessageContaining("kasane down");
    LocalNode intruder =
        new LocalNode(
            DISTRIBUTION,
            NodeSettings.builder(dir.resolve("intruder"))
                .network(node.settings().network())
                .withKasane(false)
                .build());
    assertThatThrownBy(intruder::start)
        .isInstanceOf(NodeException.class)
        .hasMessageContaining(node.settings().address() + ":9042 (CQL)");
  }

  @Test
  @Order(3)
  void shouldStartAloneWhatWasKilled() {
    LocalNode node = cluster.node(2);
    long first = cluster.node(1).process().orElseThrow().pid();
    long killed = node.process().orElseThrow().pid();

    node.kill9();

    assertThat(node.isAlive()).isFalse();
    assertThat(ProcessHandle.of(killed)).isEmpty();
    String directory = cluster.dir().toString();
    assertThat(Kasane.commandLine().execute("up", "--stock", "--dir", directory)).isZero();
    assertThat(cluster.node(1).process().orElseThrow().pid()).isEqualTo(first);
    assertThat(node.isReady()).isTrue();
    assertThat(node.nodetool("status")).contains("UN  " + node.settings().address());
  }

  /** Each row has one replica: those of the node that was killed are nowhere else. */
  @Test
  @Order(4)
  void shouldKeepAcknowledgedWritesAcrossAKill() {
    try (CqlSession session = cluster.node(2).connect()) {
      for (int i = 0; i < ROWS; i++) {
        Row row = session.execute("SELECT v FROM k.t WHERE id = ?", i).one();
        assertThat(row).as("row %d", i).isNotNull();
        assertThat(row.getString("v")).isEqualTo("value " + i);
      }
    }
  }

  @Test
  @Order(5)
  void shouldTellWhetherReplicasAreOnRacksOfTheirOwn() {
    try (CqlSession session = cluster.connect()) {
      session.execute(
          "CREATE KEYSPACE spread WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 2}");
    }
    CommandLine command = Kasane.commandLine();
    StringWriter said = new StringWriter();
    command.setOut(new PrintWriter(said, true));
    // What other sessions of these tests do without.
    Map<String, String> kept = new HashMap<>();
    for (String metadata : List.of("schema", "token-map")) {
      String name = "datastax-java-driver.advanced.metadata." + metadata + ".enabled";
      kept.put(name, System.clearProperty(name));
    }
    try {
      assertThat(command.execute("status", "--dir", cluster.dir().toString())).isZero();
    } finally {
      kept.values().removeIf(Objects::isNull);
      kept.forEach(System::setProperty);
    }
    assertThat(said.toString()).contains("Keyspace spread: in all of 2 ranges each replica");
  }

  @Test
  @Order(6)
  void shouldEndWhatItClosesAndGiveTheAddressesBack() {
    cluster.close();
    for (LocalNode node : cluster.nodes()) {
      assertThat(node.isAlive()).isFalse();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(Ports.taken(node.settings())).isEmpty());
    }
  }

  @Test
  void shouldSayWhyANodeDidNotStart() {
    LocalNode node =
        LocalCluster.builder(DISTRIBUTION, dir.resolve("wrong"))
            .isolated()
            .each(settings -> settings.withKasane(false).yaml("no_such_setting", 1))
            .build()
            .node(1);

    assertThatThrownBy(() -> node.start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContaining("ended before it was ready")
        .hasMessageContaining("no_such_setting")
        .hasMessageContaining("system.log");
    assertThat(node.isAlive()).isFalse();
  }
}
