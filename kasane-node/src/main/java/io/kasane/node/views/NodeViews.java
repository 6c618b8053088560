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
import java.util.function.Function;
import java.util.stream.StreamSupport;

/**
 * Queries one node's virtual tables.
 *
 * <p>Virtual tables are local to a node, so every query names the node instead of leaving the
 * choice to the driver.
 */
final class NodeViews {
  static final String KEYSPACE = "kasane_views";

  private final CqlSession session;
  private final Node node;

  /** Prepares to ask the node at the given CQL address. */
  NodeViews(CqlSession session, String host, int port) {
    this.session = session;
    this.node = find(session, new InetSocketAddress(host, port));
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

  /** Returns the rows of a view; {@code suffix} is what comes behind its name, with values. */
  <T> List<T> rows(String view, String suffix, Function<Row, T> mapping, Object... values) {
    SimpleStatement statement =
        SimpleStatement.newInstance("SELECT * FROM " + KEYSPACE + "." + view + suffix, values)
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
