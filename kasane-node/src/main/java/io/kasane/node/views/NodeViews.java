/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.kasane.node.NodeException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  Node node() {
    return node;
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
                        + " does not list that address among its nodes. Pass the address that"
                        + " clients have of a node (rpc_address) with --host."));
  }

  /** Returns the rows of a view; {@code suffix} is what comes behind its name, with values. */
  <T> List<T> rows(String view, String suffix, Function<Row, T> mapping, Object... values) {
    SimpleStatement statement =
        SimpleStatement.newInstance("SELECT * FROM " + KEYSPACE + "." + view + suffix, values)
            .setNode(node);
    try {
      ResultSet result = session.execute(statement);
      return StreamSupport.stream(result.spliterator(), false).map(mapping).toList();
    } catch (InvalidQueryException e) {
      throw new NodeException(missing(view, String.valueOf(e.getMessage())), e);
    } catch (UnauthorizedException e) {
      throw new NodeException(
          e.getMessage()
              + ". 'kasane grants --role ROLE', run as one who may, prints what lets a role read it",
          e);
    } catch (IllegalArgumentException e) { // of a column that the view has not
      throw new NodeException(
          "the node at "
              + node.getEndPoint()
              + " runs another version of Kasane's jars, whose "
              + KEYSPACE
              + "."
              + view
              + " is another: use the command line of that version ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  /** Returns the names of all views that the node has; none if it runs without Kasane. */
  Set<String> names() {
    SimpleStatement statement =
        SimpleStatement.newInstance(
                "SELECT table_name FROM system_virtual_schema.tables WHERE keyspace_name = ?",
                KEYSPACE)
            .setNode(node);
    return StreamSupport.stream(session.execute(statement).spliterator(), false)
        .map(row -> row.getString(0))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String missing(String view, String said) {
    boolean hasViews = !said.contains("keyspace " + KEYSPACE);
    return hasViews
        ? "the node at "
            + node.getEndPoint()
            + " has no "
            + KEYSPACE
            + "."
            + view
            + ": it runs an older version of Kasane's jars, or has none of that kind ("
            + said
            + ")"
        : "the node at "
            + node.getEndPoint()
            + " runs without Kasane: its jars are not in lib/, or"
            + " -Dcassandra.storage_hook=io.kasane.host.KasaneStorageHook is not set. Of a node"
            + " that 'kasane up' started, --stock says so";
  }
}
