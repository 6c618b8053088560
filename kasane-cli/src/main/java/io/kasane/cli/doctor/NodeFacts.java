/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.TierView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node of any cluster tells over CQL, for the doctor to judge.
 *
 * @param node what it tells of itself
 * @param settings of its {@code cassandra.yaml}, by name; none if the role may not look
 * @param retries {@code speculative_retry} of the tables, by name
 * @param tiers of the tables that have them, by name
 * @param versions what runs on each node that could be asked, by its address
 * @param silent nodes that could not be asked
 */
record NodeFacts(
    NodeOverview node,
    Map<String, String> settings,
    Map<String, String> retries,
    Map<String, List<TierView>> tiers,
    Map<String, String> versions,
    List<String> silent) {

  private static final String SETTINGS = "SELECT name, value FROM system_views.settings";
  private static final String VERSION =
      "SELECT kasane_version, cassandra_version FROM kasane_views.node";

  /** Asks the node at an address, and the others for their versions. */
  static NodeFacts of(CqlSession session, String host, int port) {
    NodeOverview node = NodeOverview.of(session, host, port);
    Node asked = NodeOverview.node(session, host, port);
    Map<String, List<TierView>> tiers = new TreeMap<>();
    node.tables()
        .forEach(
            table ->
                tiers.put(table.table(), NodeOverview.tiers(session, host, port, table.table())));
    Map<String, String> versions = new TreeMap<>();
    List<String> silent = new ArrayList<>();
    for (Node other : session.getMetadata().getNodes().values()) {
      try {
        versions.put(shown(other), version(session, other));
      } catch (DriverException e) {
        silent.add(shown(other));
      }
    }
    return new NodeFacts(
        node, settings(session, asked), KindChecks.retries(session), tiers, versions, silent);
  }

  private static Map<String, String> settings(CqlSession session, Node node) {
    Map<String, String> settings = new TreeMap<>();
    try {
      for (Row row : session.execute(SimpleStatement.newInstance(SETTINGS).setNode(node))) {
        settings.put(row.getString(0), Optional.ofNullable(row.getString(1)).orElse(""));
      }
    } catch (UnauthorizedException e) {
      return Map.of();
    }
    return settings;
  }

  private static String version(CqlSession session, Node node) {
    Row row = session.execute(SimpleStatement.newInstance(VERSION).setNode(node)).one();
    return row == null
        ? "unknown"
        : "Kasane " + row.getString(0) + " on Cassandra " + row.getString(1);
  }

  private static String shown(Node node) {
    return node.getEndPoint().toString();
  }

  /** A setting's value; empty if there is none. */
  String setting(String name) {
    return settings.getOrDefault(name, "");
  }
}
