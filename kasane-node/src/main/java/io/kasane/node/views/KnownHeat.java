/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.NodeException;
import java.util.List;

/**
 * Whether a node can know the heat of as many rows of a table as fit on its fast disk.
 *
 * @param table with its keyspace, {@code ks.t}
 * @param share of these rows, or of all if they are fewer, 0 to 1
 */
public record KnownHeat(String table, double share) {
  private static final String SHARE = "known_heat_share";

  /** Asks the node at the given CQL address for all its tables of Kasane. */
  public static List<KnownHeat> of(CqlSession session, String host, int port) {
    return new NodeViews(session, host, port).rows("tables", "", KnownHeat::of);
  }

  private static KnownHeat of(Row row) {
    if (!row.getColumnDefinitions().contains(SHARE)) {
      throw new NodeException(
          "it runs another version of Kasane's jars, which has no " + SHARE + "; restart it");
    }
    return new KnownHeat(
        row.getString("keyspace_name") + "." + row.getString("table_name"), row.getDouble(SHARE));
  }
}
