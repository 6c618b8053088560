/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.read;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorWithLowerBound;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** Stands for an SSTable that a read leaves out: no rows, no deletion, no look into any file. */
public final class LeftOutRowIterator extends UnfilteredRowIteratorWithLowerBound {
  public LeftOutRowIterator(
      DecoratedKey key,
      SSTableReader sstable,
      ClusteringIndexFilter filter,
      ColumnFilter selectedColumns,
      SSTableReadsListener listener) {
    super(key, sstable, filter, selectedColumns, listener);
  }

  @Override
  protected UnfilteredRowIterator initializeIterator() {
    return EmptyIterators.unfilteredRow(metadata(), partitionKey(), isReverseOrder());
  }

  /** The SSTable's own bound would have to be read from its files. */
  @Override
  public Unfiltered lowerBound() {
    return null;
  }

  @Override
  public DeletionTime partitionLevelDeletion() {
    return DeletionTime.LIVE;
  }
}
