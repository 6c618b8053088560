/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.NodeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Queries one node's virtual tables about one table. */
public final class KasaneViews {
  private static final String ONE_TABLE = " WHERE keyspace_name = ? AND table_name = ?";

  private final NodeViews node;
  private final String keyspace;
  private final String table;

  /** Prepares to ask the node at the given CQL address about the given table. */
  public KasaneViews(CqlSession session, String host, int port, String keyspace, String table) {
    this.node = new NodeViews(session, host, port);
    this.keyspace = keyspace;
    this.table = table;
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
                        + NodeViews.KEYSPACE
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
    return node.rows(view, ONE_TABLE + suffix, mapping, keyspace, table);
  }
}
