/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.it.tier.Tiered;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** The nodes of a ring that run, and a session in which each can be the coordinator. */
final class EngineRing implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private List<LocalNode> nodes = List.of();
  private CqlSession session;

  /** Waits until these nodes see one another, and no other, and can be asked. */
  void running(LocalNode... now) {
    close();
    nodes = List.of(now);
    nodes.forEach(node -> node.waitUntilReady(PATIENCE));
    Tiered.awaitAllSeeAll(nodes);
    session = nodes.get(0).connect();
    session.setSchemaMetadataEnabled(false);
    Awaitility.await().atMost(PATIENCE).until(() -> nodes.stream().allMatch(this::isConnected));
  }

  private boolean isConnected(LocalNode node) {
    return session.getMetadata().getNodes().values().stream()
        .anyMatch(
            known ->
                known.getEndPoint().toString().contains(node.settings().address() + ":")
                    && known.getOpenConnections() > 0);
  }

  List<LocalNode> nodes() {
    return nodes;
  }

  LocalNode any(SplittableRandom random) {
    return nodes.get(random.nextInt(nodes.size()));
  }

  CqlSession session() {
    return session;
  }

  /** Makes a node the coordinator of statements. */
  UnaryOperator<SimpleStatement> at(LocalNode coordinator, ConsistencyLevel level) {
    Node node = Tiered.coordinator(session, coordinator);
    return statement -> statement.setNode(node).setConsistencyLevel(level);
  }

  /** Waits until all know of the last change of the schema; all that there are must run. */
  void awaitSchema() {
    Tiered.awaitSchema(nodes.get(0));
  }

  /** Waits until a node reads no SSTable of some tables, each as the metrics call it. */
  void awaitMovedIn(LocalNode node, List<String> tables) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreException(IOException.class)
        .untilAsserted(
            () -> {
              try (NodeJmx jmx = node.jmx()) {
                for (String table : tables) {
                  String metric =
                      "org.apache.cassandra.metrics:" + table + ",name=LiveSSTableCount";
                  assertThat(jmx.attribute(metric, "Value"))
                      .as("%s of %s", table, node)
                      .isEqualTo(0);
                }
              }
            });
  }

  static void flush(LocalNode node, String keyspace) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush(keyspace);
    }
  }

  @Override
  public void close() {
    if (session != null) {
      session.closeAsync();
    }
  }
}
