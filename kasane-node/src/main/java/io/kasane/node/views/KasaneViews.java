/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.kasane.node.NodeException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * Queries one node's virtual tables about one table.
 *
 * <p>Virtual tables are local to a node, so every query names the node instead of leaving the
 * choice to the driver.
 */
public final class KasaneViews {
  private static final String KEYSPACE = "kasane_views";
  private static final String ONE_TABLE = " WHERE keyspace_name = ? AND table_name = ?";

  private final CqlSession session;
  private final Node node;
  private final String keyspace;
  private final String table;

  /** Prepares to ask the node at the given CQL address about the given table. */
  public KasaneViews(CqlSession session, String host, int port, String keyspace, String table) {
    this.session = session;
    this.node = find(session, new InetSocketAddress(host, port));
    this.keyspace = keyspace;
    this.table = table;
  }

  private static Node find(CqlSession session, InetSocketAddress address) {
    return session.getMetadata().getNodes().values().stream()
        .filter(candidate -> address.equals(candidate.getEndPoint().resolve()))
        .findFirst()
        .orElseThrow(
            () ->
                new NodeException(
                    "The cluster at "
                        + address
                        + " does not list that address among its nodes. Pass the address a node"
                        + " has in 'kasane status' with --host."));
  }

  /** Returns the table's row; empty when the node knows no such Kasane table. */
  public Optional<TableView> table() {
    return rows("tables", "", TableView::of).stream().findFirst();
  }

  /** Returns the table's row; fails with a way out when the node knows no such Kasane table. */
  public TableView requireTable() {
    return table()
        .orElseThrow(
            () ->
                new NodeException(
                    keyspace
                        + "."
                        + table
                        + " is not in "
                        + KEYSPACE
                        + ".tables: either there is no such table, or its compaction class is not"
                        + " io.kasane.tier.HeatTieredCompactionStrategy. Set it with ALTER TABLE"
                        + " ... WITH compaction = {'class': ...}."));
  }

  /** Returns what lies on each tier. */
  public List<TierView> tiers() {
    return rows("tiers", "", TierView::of);
  }

  /** Returns the hottest keys, hottest first. */
  public List<HotKey> hottest(int limit) {
    return rows("hottest_keys", " LIMIT " + limit, HotKey::of);
  }

  /** Returns how the accesses spread over the keys. */
  public List<AccessShare> distribution() {
    return rows("access_distribution", "", AccessShare::of);
  }

  /** Returns what the fast disk would serve, by its size, the smallest first. */
  public List<Sizing> sizing() {
    return rows("sizing", "", Sizing::of);
  }

  /** Returns rows of like heat and where they lie, the hottest first. */
  public List<HeatBand> heatMap() {
    return rows("heat_map", "", HeatBand::of);
  }

  /** Returns the table at moments since the node started, the first first. */
  public List<Moment> history() {
    return rows("history", "", Moment::of);
  }

  /** Returns how many compactions of the table run. */
  public int runningTasks() {
    return rows("tasks", "", row -> row).size();
  }

  private <T> List<T> rows(String view, String suffix, Function<Row, T> mapping) {
    SimpleStatement statement =
        SimpleStatement.newInstance(
                "SELECT * FROM " + KEYSPACE + "." + view + ONE_TABLE + suffix, keyspace, table)
            .setNode(node);
    ResultSet result;
    try {
      result = session.execute(statement);
    } catch (InvalidQueryException e) {
      throw new NodeException(
          "The node at "
              + node.getEndPoint()
              + " has no "
              + KEYSPACE
              + "."
              + view
              + " ("
              + e.getMessage()
              + "). It runs without Kasane, or with another version of its jars: start it with"
              + " 'kasane up' without --stock, and look for io.kasane in its log.",
          e);
    }
    return StreamSupport.stream(result.spliterator(), false).map(mapping).toList();
  }
}
