/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import java.util.Iterator;
import java.util.NavigableSet;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Partitions that are read once, one after the other, as a flush does: none is ever whole in
 * memory.
 */
final class SinglePassPartitions implements Iterator<Partition> {
  private final UnfilteredPartitionIterator from;
  private final Runnable atEnd;
  private boolean isEnded;

  /**
   * Partitions.
   *
   * @param atEnd called once, when there are no more; not if it fails, or nobody goes on
   */
  SinglePassPartitions(UnfilteredPartitionIterator from, Runnable atEnd) {
    this.from = from;
    this.atEnd = atEnd;
  }

  @Override
  public boolean hasNext() {
    if (isEnded) {
      return false;
    }
    boolean hasNext = from.hasNext();
    if (!hasNext) {
      isEnded = true;
      atEnd.run();
    }
    return hasNext;
  }

  @Override
  public Partition next() {
    return new Passing(from.next());
  }

  private record Passing(UnfilteredRowIterator rows) implements Partition {
    @Override
    public TableMetadata metadata() {
      return rows.metadata();
    }

    @Override
    public DecoratedKey partitionKey() {
      return rows.partitionKey();
    }

    @Override
    public DeletionTime partitionLevelDeletion() {
      return rows.partitionLevelDeletion();
    }

    @Override
    public RegularAndStaticColumns columns() {
      return rows.columns();
    }

    @Override
    public EncodingStats stats() {
      return rows.stats();
    }

    /** Nobody would close it if it were. */
    @Override
    public boolean isEmpty() {
      return false;
    }

    @Override
    public boolean hasRows() {
      return rows.hasNext();
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator() {
      return rows;
    }

    @Override
    public Row getRow(Clustering<?> clustering) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(
        ColumnFilter columns, Slices slices, boolean reversed) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UnfilteredRowIterator unfilteredIterator(
        ColumnFilter columns, NavigableSet<Clustering<?>> clusterings, boolean reversed) {
      throw new UnsupportedOperationException();
    }
  }
}
