/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.kasane.node.NodeException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * What one node tells of itself.
 *
 * @param about versions and settings
 * @param tables tables with tiers, by name
 * @param engines storage engines, by name; of a node without engines none
 * @param engineTables tables that have rows in them
 * @param disks its data directories
 * @param workers threads of Kasane
 * @param replicas the nodes of the ring as it sees them, by address
 */
public record NodeOverview(
    AboutNode about,
    List<TableSummary> tables,
    List<EngineView> engines,
    List<EngineTableView> engineTables,
    List<DiskRow> disks,
    List<WorkerRow> workers,
    List<ReplicaView> replicas) {

  /**
   * Asks the node at the given CQL address.
   *
   * @throws NodeException if it has no Kasane, or another version, or the role may not look
   */
  public static NodeOverview of(CqlSession session, String host, int port) {
    NodeViews node = new NodeViews(session, host, port);
    AboutNode about =
        node.rows("node", "", AboutNode::of).stream()
            .findFirst()
            .orElseThrow(() -> new NodeException("the node says nothing of itself"));
    boolean hasEngines = node.names().contains("engines");
    return new NodeOverview(
        about,
        sorted(
            node.rows("tables", "", TableSummary::of), Comparator.comparing(TableSummary::table)),
        hasEngines
            ? sorted(
                node.rows("engines", "", EngineView::of), Comparator.comparing(EngineView::engine))
            : List.of(),
        hasEngines ? node.rows("engine_tables", "", EngineTableView::of) : List.of(),
        node.rows("disks", "", DiskRow::of),
        node.rows("workers", "", WorkerRow::of),
        sorted(
            node.rows("replicas", "", ReplicaView::of),
            Comparator.comparing(ReplicaView::address)));
  }

  /** Returns the names of a node's views; none if it runs without Kasane. */
  public static Set<String> viewNames(CqlSession session, String host, int port) {
    return new NodeViews(session, host, port).names();
  }

  /** Returns the node as the driver calls it. */
  public static Node node(CqlSession session, String host, int port) {
    return new NodeViews(session, host, port).node();
  }

  /**
   * Returns what lies on each tier.
   *
   * @param table with its keyspace
   */
  public static List<TierView> tiers(CqlSession session, String host, int port, String table) {
    int dot = table.indexOf('.');
    return new KasaneViews(session, host, port, table.substring(0, dot), table.substring(dot + 1))
        .tiers();
  }

  private static <T> List<T> sorted(List<T> rows, Comparator<T> order) {
    return rows.stream().sorted(order).toList();
  }
}
