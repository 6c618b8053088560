/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;

/**
 * A snapshot of a table's rows, for several reads of the same state. For one thread; to be closed.
 */
public final class RowsSnapshot implements AutoCloseable {
  private final EngineSnapshot snapshot;
  private final EntryValues values;
  private final TableMetadata metadata;

  RowsSnapshot(EngineSnapshot snapshot, EntryValues values, TableMetadata metadata) {
    this.snapshot = snapshot;
    this.values = values;
    this.metadata = metadata;
  }

  /** Counts the partitions of a range by a walk over its keys. */
  public long countPartitions(AbstractBounds<PartitionPosition> range) {
    return countPartitions(range, () -> false);
  }

  /**
   * Counts the partitions of a range by a walk over its keys.
   *
   * @param isCancelled asked at each partition; the count ends then
   */
  public long countPartitions(
      AbstractBounds<PartitionPosition> range, BooleanSupplier isCancelled) {
    try (EngineCursor cursor = snapshot.scan(EntryKeys.range(range), false)) {
      long count = 0;
      byte[] partition = null;
      while (cursor.next()) {
        byte[] key = cursor.key();
        if (partition == null || !EntryKeys.isOf(key, partition)) {
          if (isCancelled.getAsBoolean()) {
            return count;
          }
          partition = EntryKeys.partition(EntryKeys.partitionOf(key, metadata.partitioner));
          count++;
        }
      }
      return count;
    }
  }

  /** Reads whole partitions in order, each to be closed before the next. To be closed. */
  public UnfilteredPartitionIterator scan(DataRange range) {
    return new EntryScan(snapshot, values, metadata, ColumnFilter.all(metadata), range, () -> {});
  }

  @Override
  public void close() {
    snapshot.close();
  }
}
