/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterators;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.schema.DroppedColumn;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.Throwables;

/** All rows of a range, from all engines that have some, for what writes SSTables of them. */
public final class StoredScan {
  private StoredScan() {}

  /** Reads whole partitions, in order, each to be closed before the next. To be closed. */
  public static UnfilteredPartitionIterator all(
      List<StoredTable> stored, TableMetadata metadata, Range<PartitionPosition> range) {
    List<UnfilteredPartitionIterator> scans = new ArrayList<>();
    try {
      for (StoredTable table : stored) {
        if (table.mayHaveRows()) {
          scans.add(table.scanAll(metadata, DataRange.forKeyRange(range)));
        }
      }
    } catch (RuntimeException | Error e) {
      Throwables.close(e, scans);
      throw e;
    }
    return merge(scans, metadata);
  }

  /** One of many; an empty one of none. */
  public static UnfilteredPartitionIterator merge(
      List<UnfilteredPartitionIterator> scans, TableMetadata metadata) {
    return switch (scans.size()) {
      case 0 -> EmptyIterators.unfilteredPartition(metadata);
      case 1 -> scans.get(0);
      default ->
          UnfilteredPartitionIterators.merge(
              scans, UnfilteredPartitionIterators.MergeListener.NOOP);
    };
  }

  /** The columns that rows may have: cells that are newer than their column's drop are kept. */
  public static RegularAndStaticColumns columns(TableMetadata metadata) {
    RegularAndStaticColumns columns = metadata.regularAndStaticColumns();
    for (DroppedColumn dropped : metadata.droppedColumns.values()) {
      if (metadata.getColumn(dropped.column.name) == null) {
        columns = columns.mergeTo(RegularAndStaticColumns.of(dropped.column));
      }
    }
    return columns;
  }
}
