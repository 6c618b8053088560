/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.memtable.EngineMemtable;
import io.kasane.engine.migrate.PendingMoves;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.sstables.SnapshotCopies;
import java.util.Optional;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What one engine has of one table, or of an index of one, as the views show it: a reading at the
 * time of each call.
 */
final class TableReport {
  private final ColumnFamilyStore table;
  private final StoredTable stored;
  private final SizeCache<StoredTable> known;
  private final SnapshotCopies copies;

  TableReport(
      ColumnFamilyStore table,
      StoredTable stored,
      SizeCache<StoredTable> known,
      SnapshotCopies copies) {
    this.table = table;
    this.stored = stored;
    this.known = known;
    this.copies = copies;
  }

  StoredTable stored() {
    return stored;
  }

  TableMetadata metadata() {
    return table.metadata();
  }

  String keyspace() {
    return metadata().keyspace;
  }

  /** The table, or the index's table. */
  String name() {
    String name = metadata().name;
    return metadata()
        .indexName()
        .map(index -> name.substring(0, name.length() - index.length() - 1))
        .orElse(name);
  }

  /** Empty if it is no index. */
  String index() {
    return metadata().indexName().orElse("");
  }

  /** Whether the schema names the engine; it is being drained else. */
  boolean isOwn() {
    return stored.engine().name().equals(EngineMemtable.engineOf(metadata()));
  }

  /** As last known; empty if the engine never said. */
  Optional<EngineTable.Size> size() {
    return stored.mayHaveRows()
        ? known.size(stored)
        : Optional.of(new EngineTable.Size(0, 0)); // whatever it had before
  }

  /** Of what it has; to be written where a thread may hang. */
  SizeEstimates estimates() {
    return new SizeEstimates(table, stored, size().map(EngineTable.Size::bytes).orElse(0L));
  }

  /** Cassandra's. */
  TableMetrics metrics() {
    return table.metric;
  }

  /** Nothing waits for an engine that the table leaves. */
  PendingMoves waiting() {
    return isOwn() ? PendingMoves.of(table, copies) : PendingMoves.NONE;
  }
}
