/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Finds out whether the session's user may set the time of a write. Cassandra 5.0 can forbid it
 * ({@code user_timestamps_enabled: false}), node by node, to all but superusers.
 *
 * <p>Asks with a write at a level that no plain write may have: a node looks at the user's rights
 * first and at the level next, and writes nothing in any case.
 */
public final class ClientTimestamps {
  private ClientTimestamps() {}

  /**
   * Done if all nodes that the session is connected to allow it; fails with {@link
   * RefusedSchemaException} if one does not, or does not let the user write to the table at all.
   */
  public static CompletionStage<Void> check(CqlSession session, String keyspace, String table) {
    List<Node> connected =
        session.getMetadata().getNodes().values().stream()
            .filter(node -> node.getState() == NodeState.UP && node.getOpenConnections() > 0)
            .toList();
    CompletableFuture<?>[] checks =
        connected.stream()
            .map(node -> check(session, node, TableLayout.qualified(keyspace, table)))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(checks);
  }

  private static CompletableFuture<Void> check(CqlSession session, Node node, String table) {
    SimpleStatement write =
        SimpleStatement.newInstance(
                "UPDATE "
                    + table
                    + " USING TIMESTAMP 1 SET body = 0x"
                    + " WHERE partition = 0x00 AND kind = -127 AND item = 0x AND version = 0x")
            .setConsistencyLevel(DefaultConsistencyLevel.SERIAL)
            .setIdempotent(true)
            .setNode(node);
    return session
        .executeAsync(write)
        .handle(
            (done, failure) -> {
              judge(failure, node, table);
              return (Void) null;
            })
        .toCompletableFuture();
  }

  private static void judge(Throwable failure, Node node, String table) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause == null) {
      throw new IllegalStateException(
          "node " + node.getEndPoint() + " took a plain write at level SERIAL");
    }
    if (cause instanceof UnauthorizedException) {
      throw new RefusedSchemaException(
          "The session's user may not write to " + table + ": " + cause.getMessage(), cause);
    }
    // A node that objects to the level has let the time pass; one that is down says nothing yet.
    if (!(cause instanceof InvalidQueryException) || !cause.getMessage().contains("TIMESTAMP")) {
      return;
    }
    throw new RefusedSchemaException(
        "Node "
            + node.getEndPoint()
            + " refuses writes that carry their own time ("
            + cause.getMessage()
            + "). Transactions need them: set user_timestamps_enabled: true in cassandra.yaml of"
            + " all nodes.",
        cause);
  }
}
