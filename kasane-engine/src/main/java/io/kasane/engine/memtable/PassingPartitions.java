/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import java.lang.ref.Cleaner;
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
 * memory. Closes what it reads from at the end, or when it fails. Whoever stops before that cannot
 * say so, so it is closed when it is no longer reachable, too.
 */
final class PassingPartitions implements Iterator<Partition> {
  private static final Cleaner CLEANER = Cleaner.create();

  private final UnfilteredPartitionIterator from;
  private final Cleaner.Cleanable close;

  PassingPartitions(UnfilteredPartitionIterator from) {
    this.from = from;
    this.close = CLEANER.register(this, from::close);
  }

  @Override
  public boolean hasNext() {
    try {
      boolean hasNext = from.hasNext();
      if (!hasNext) {
        close.clean();
      }
      return hasNext;
    } catch (RuntimeException | Error e) {
      close.clean();
      throw e;
    }
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
