/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.report;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeException;
import io.kasane.node.views.HeatBand;
import io.kasane.node.views.HotKey;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.Moment;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.Sizing;
import io.kasane.node.views.TableSummary;
import io.kasane.node.views.TableView;
import java.time.Instant;
import java.util.List;

/**
 * What one node tells of one table.
 *
 * @param at when it was asked
 * @param node the node
 * @param summary the table, as the node's other tables are told
 * @param table the table in full
 * @param heat rows of like heat, the hottest first
 * @param history moments since the node started, the first first
 * @param sizing what other quotas would serve, the smallest first
 * @param hottest its hottest keys; empty if nobody wants them shown
 */
record TableFacts(
    Instant at,
    NodeOverview node,
    TableSummary summary,
    TableView table,
    List<HeatBand> heat,
    List<Moment> history,
    List<Sizing> sizing,
    List<HotKey> hottest) {

  /** Asks the node at an address. */
  static TableFacts of(
      CqlSession session, String host, int port, String keyspace, String table, int keys) {
    KasaneViews views = new KasaneViews(session, host, port, keyspace, table);
    TableView full = views.requireTable();
    NodeOverview node = NodeOverview.of(session, host, port);
    String name = keyspace + "." + table;
    return new TableFacts(
        Instant.now(),
        node,
        node.tables().stream()
            .filter(one -> one.table().equals(name))
            .findFirst()
            .orElseThrow(() -> new NodeException(name + " was dropped meanwhile")),
        full,
        views.heatMap(),
        views.history(),
        views.sizing(),
        keys == 0 ? List.of() : views.hottest(keys));
  }

  boolean hasFastDisk() {
    return !node.about().fastDirectories().isEmpty();
  }

  long diskReads() {
    return summary.readsFast() + summary.readsSlow();
  }
}
