/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.host.internals.Callers;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.view.TableViews;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Finds reads that hold Cassandra's write order ({@code Keyspace.writeOrder}): no flush of the node
 * can end before they end. A query by one of its own indexes does, since it deletes stale entries,
 * and a write that looks for the rows of a view.
 */
final class WriteOrderReads {
  private static final Callers.Method VIEW_UPDATE =
      new Callers.Method(TableViews.class, "pushViewReplicaUpdates");

  private WriteOrderReads() {}

  /**
   * Whether the calling thread may keep it.
   *
   * @param command what is read for; null for the rows that a query by an index has found, and for
   *     those of counters
   */
  static boolean areKeptBy(ReadCommand command, TableMetadata table) {
    return (command == null ? !table.isCounter() : isByOwnIndex(command))
        || (hasViews(table) && Callers.isWithin(VIEW_UPDATE));
  }

  private static boolean isByOwnIndex(ReadCommand command) {
    Index.QueryPlan plan = command.indexQueryPlan();
    return plan != null && plan.getFirst().getBackingTable().isPresent();
  }

  /** Until the table's rows have left the engine. */
  private static boolean hasViews(TableMetadata table) {
    KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(table.keyspace);
    return keyspace != null
        && !keyspace.views.isEmpty()
        && keyspace.views.forTable(table.id).iterator().hasNext();
  }
}
