/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.node.StoredTable;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;

/** Finds the table of Cassandra whose rows an engine has. */
public final class TableStores {
  private TableStores() {}

  /** Returns the table, or the index; empty if it was dropped. Waits for nothing. */
  public static Optional<ColumnFamilyStore> of(StoredTable stored) {
    ColumnFamilyStore base = ColumnFamilyStore.getIfExists(stored.id());
    if (base == null) {
      return Optional.empty();
    }
    for (ColumnFamilyStore each : base.concatWithIndexes()) {
      if (stored.isOf(each.metadata())) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }
}
