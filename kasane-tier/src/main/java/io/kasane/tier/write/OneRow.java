/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/**
 * Takes one CQL row out of a partition: a flush that wrote all its rows to fast writes this one to
 * slow, too, so that an SSTable can claim the commit log.
 */
final class OneRow {
  private OneRow() {}

  /**
   * A row that is not deleted, if there is one: it stays for long. All where there are no rows but
   * deletions, which are small.
   *
   * @param partition is read as far as needed; the caller closes it
   */
  static UnfilteredRowIterator of(UnfilteredRowIterator partition) {
    Row first = null;
    List<Unfiltered> deletions = new ArrayList<>();
    while (partition.hasNext()) {
      Unfiltered next = partition.next();
      if (!next.isRow()) {
        deletions.add(next);
        continue;
      }
      Row row = (Row) next;
      if (row.deletion().isLive()) {
        return only(partition, row);
      }
      first = first == null ? row : first;
    }
    if (!partition.staticRow().isEmpty()) {
      return only(partition, partition.staticRow());
    }
    return first == null ? of(partition, deletions.iterator()) : only(partition, first);
  }

  private static UnfilteredRowIterator only(UnfilteredRowIterator partition, Row row) {
    return PartitionUpdate.singleRowUpdate(partition.metadata(), partition.partitionKey(), row)
        .unfilteredIterator();
  }

  private static UnfilteredRowIterator of(
      UnfilteredRowIterator partition, Iterator<Unfiltered> deletions) {
    return new AbstractUnfilteredRowIterator(
        partition.metadata(),
        partition.partitionKey(),
        partition.partitionLevelDeletion(),
        partition.columns(),
        partition.staticRow(),
        false,
        partition.stats()) {
      @Override
      protected Unfiltered computeNext() {
        return deletions.hasNext() ? deletions.next() : endOfData();
      }
    };
  }
}
