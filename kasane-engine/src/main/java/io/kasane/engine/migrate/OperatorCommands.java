/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.host.internals.NodetoolCommands;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does for what engines have what operators ask of Cassandra, which knows SSTables only. */
final class OperatorCommands implements NodetoolCommands.Listener {
  private static final Logger logger = LoggerFactory.getLogger(OperatorCommands.class);

  private final NodeEngines engines;
  private final SnapshotCopies copies;

  OperatorCommands(NodeEngines engines, SnapshotCopies copies) {
    this.engines = engines;
    this.copies = copies;
  }

  @Override
  public boolean cleanup(String keyspace, List<String> tables) throws IOException {
    for (ColumnFamilyStore table :
        StorageService.instance.getValidColumnFamilies(
            false, false, keyspace, tables.toArray(String[]::new))) {
      for (StoredTable stored : of(table)) {
        table.forceBlockingFlush(FlushReason.USER_FORCED); // what waits in memory is as old
        if (!Cleanup.run(table, stored)) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public void rebuildIndexes(String keyspace, String name, Set<String> indexes) {
    ColumnFamilyStore table = Keyspace.open(keyspace).getColumnFamilyStore(name);
    for (StoredTable stored : of(table)) {
      if (stored.mayHaveRows()) {
        copies.makeForIndexes(table, stored);
        logger.info("Built {} of {} from {}", indexes, table, stored.engine().name());
      }
    }
  }

  /** What engines have of the table itself. */
  private List<StoredTable> of(ColumnFamilyStore table) {
    return engines.of(table.metadata().id).stream()
        .filter(stored -> stored.isOf(table.metadata()))
        .toList();
  }
}
