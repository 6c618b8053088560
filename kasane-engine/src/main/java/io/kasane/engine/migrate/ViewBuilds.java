/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.view.View;
import org.apache.cassandra.schema.ViewMetadata;

/**
 * Builds of materialized views. Cassandra builds a view once, from SSTables: when rows come into
 * SSTables that were in an engine, it must do so again.
 */
final class ViewBuilds {
  private ViewBuilds() {}

  /** Whether no build of a view on a table goes on; what ends later would count for a later one. */
  static boolean areDone(ColumnFamilyStore table) {
    String keyspace = table.keyspace.getName();
    for (ViewMetadata view : viewsOn(table)) {
      if (!SystemKeyspace.isViewStatusReplicated(keyspace, view.name())) {
        return false;
      }
    }
    return true;
  }

  /** Builds all views on a table from the SSTables of now; a restart goes on with it. */
  static void again(ColumnFamilyStore table) {
    for (ViewMetadata metadata : viewsOn(table)) {
      View view = table.keyspace.viewManager.getByName(metadata.name());
      if (view != null) { // else it was dropped just now
        SystemKeyspace.setViewRemoved(table.keyspace.getName(), view.name);
        view.build();
      }
    }
  }

  private static Iterable<ViewMetadata> viewsOn(ColumnFamilyStore table) {
    return table.keyspace.getMetadata().views.forTable(table.metadata.id);
  }
}
