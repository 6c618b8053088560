/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.read;

import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIteratorWithLowerBound;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** An SSTable's rows of one partition; tells an observer how long it took to find them. */
public final class ObservedRowIterator extends UnfilteredRowIteratorWithLowerBound {
  private final TableObserver observer;
  private final SSTableReader sstable;

  public ObservedRowIterator(
      TableObserver observer,
      DecoratedKey key,
      SSTableReader sstable,
      ClusteringIndexFilter filter,
      ColumnFilter selectedColumns,
      SSTableReadsListener listener) {
    super(key, sstable, filter, selectedColumns, listener);
    this.observer = observer;
    this.sstable = sstable;
  }

  @Override
  protected UnfilteredRowIterator initializeIterator() {
    long began = System.nanoTime();
    UnfilteredRowIterator rows = super.initializeIterator();
    observer.onLookUp(sstable, partitionKey(), System.nanoTime() - began);
    return rows;
  }
}
