/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;

/**
 * Whether the heat of enough rows of a table can be known to fill its fast disk.
 *
 * @param table with its keyspace, {@code ks.t}
 * @param share how much of what hot rows may fill there the known rows can fill, 0 to 1
 */
public record KnownHeat(String table, double share) {
  /** Asks the node at the given CQL address for all its tables of Kasane. */
  public static List<KnownHeat> of(CqlSession session, String host, int port) {
    return new NodeViews(session, host, port).rows("tables", "", KnownHeat::of);
  }

  private static KnownHeat of(Row row) {
    return new KnownHeat(
        row.getString("keyspace_name") + "." + row.getString("table_name"),
        row.getDouble("known_heat_share"));
  }
}
