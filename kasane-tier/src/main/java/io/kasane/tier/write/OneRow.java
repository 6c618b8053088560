/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/** A piece of a partition: of what a flush writes, any piece may lie in two SSTables. */
final class OneRow {
  private OneRow() {}

  /**
   * A row that is not deleted, if there is one: it stays for long. All where there are no rows but
   * deletions, which are small.
   */
  static UnfilteredRowIterator of(ImmutableBTreePartition partition) {
    Row first = null;
    for (Row row : partition) {
      if (row.deletion().isLive()) {
        return only(partition, row);
      }
      first = first == null ? row : first;
    }
    if (!partition.staticRow().isEmpty()) {
      return only(partition, partition.staticRow());
    }
    return first == null ? partition.unfilteredIterator() : only(partition, first);
  }

  private static UnfilteredRowIterator only(ImmutableBTreePartition partition, Row row) {
    return PartitionUpdate.singleRowUpdate(partition.metadata(), partition.partitionKey(), row)
        .unfilteredIterator();
  }
}
