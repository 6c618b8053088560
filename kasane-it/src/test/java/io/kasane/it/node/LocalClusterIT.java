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
import io.kasane.testkit.ThreadDump;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Boots real stock nodes: what every other node test stands on. */
@Tag("node")
class LocalClusterIT {
  private final Distribution distribution = Distribution.locate();

  @TempDir private Path dir;

  @Test
  void shouldKeepAcknowledgedWritesAcrossAKill() {
    LocalCluster cluster =
        LocalCluster.builder(distribution, dir)
            .isolated()
            .each(settings -> settings.withKasane(false).syncEveryWrite())
            .build();
    try (cluster) {
      LocalNode node = cluster.start().node(1);
      try (CqlSession session = node.connect()) {
        session.execute(
            "CREATE KEYSPACE k WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
        session.execute("CREATE TABLE k.t (id int PRIMARY KEY, v text)");
        for (int i = 0; i < 100; i++) {
          session.execute("INSERT INTO k.t (id, v) VALUES (?, ?)", i, "value " + i);
        }
      }
      assertThat(ThreadDump.of(node)).contains("COMMIT-LOG-WRITER");
      long killed = node.process().orElseThrow().pid();

      node.kill9();

      assertThat(node.isAlive()).isFalse();
      assertThat(ProcessHandle.of(killed)).isEmpty();
      node.start().waitUntilReady();
      try (CqlSession session = node.connect()) {
        for (int i = 0; i < 100; i++) {
          Row row = session.execute("SELECT v FROM k.t WHERE id = ?", i).one();
          assertThat(row).as("row %d", i).isNotNull();
          assertThat(row.getString("v")).isEqualTo("value " + i);
        }
      }
      assertThat(node.nodetool("status")).contains("UN  " + node.settings().address());

      assertThatThrownBy(node::start)
          .isInstanceOf(NodeException.class)
          .hasMessageContaining("already runs as process")
          .hasMessageContaining("kasane down");
      LocalNode intruder = new LocalNode(distribution, intruder(node));
      assertThatThrownBy(intruder::start)
          .isInstanceOf(NodeException.class)
          .hasMessageContaining(node.settings().address() + ":9042 (CQL)");
    }
    assertThat(cluster.node(1).isAlive()).isFalse();
    assertThat(Ports.taken(cluster.node(1).settings())).isEmpty();
  }

  @Test
  void shouldStartAloneWhatDoesNotRun() {
    LocalCluster cluster =
        LocalCluster.builder(distribution, dir)
            .nodes(2)
            .isolated()
            .each(settings -> settings.withKasane(false).heap("512m"))
            .build();
    try (cluster) {
      cluster.start().node(2).kill9();
      long first = cluster.node(1).process().orElseThrow().pid();

      assertThat(Kasane.commandLine().execute("up", "--stock", "--dir", dir.toString())).isZero();

      assertThat(cluster.node(1).process().orElseThrow().pid()).isEqualTo(first);
      assertThat(cluster.node(2).isReady()).isTrue();
    }
  }

  private NodeSettings intruder(LocalNode node) {
    return NodeSettings.builder(dir.resolve("intruder"))
        .network(node.settings().network())
        .withKasane(false)
        .build();
  }

  @Test
  void shouldSayWhyANodeDidNotStart() {
    LocalNode node =
        LocalCluster.builder(distribution, dir)
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
