/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.NoSuchElementException;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.AbstractUnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.AbstractIterator;

/**
 * Partitions of a range, in order. Whole partitions come from one cursor that walks over all; where
 * slices are asked for, each partition is read as if alone. Each is to be closed before the next.
 *
 * <p>Every partition is handed out, though there be nothing of it in the slices: Cassandra looks
 * then whether the read is still wanted. Closes the snapshot.
 */
final class EntryScan extends AbstractUnfilteredPartitionIterator {
  private final EngineSnapshot snapshot;
  private final EntryValues values;
  private final TableMetadata metadata;
  private final ColumnFilter columns;
  private final DataRange range;
  private final Runnable onClose;
  private final EntryReader reader;
  private final byte[] end;

  private EngineCursor cursor;
  private boolean onEntry;

  /** The partition that was handed out last; the cursor may still be in it. */
  private byte[] begun;

  EntryScan(
      EngineSnapshot snapshot,
      EntryValues values,
      TableMetadata metadata,
      ColumnFilter columns,
      DataRange range,
      Runnable onClose) {
    this.snapshot = snapshot;
    this.values = values;
    this.metadata = metadata;
    this.columns = columns;
    this.range = range;
    this.onClose = onClose;
    this.reader = new EntryReader(snapshot, values, metadata);
    KeyRange keys = EntryKeys.range(range.keyRange());
    this.end = keys.to();
    go(keys.from());
  }

  private void go(byte[] from) {
    if (cursor != null) {
      cursor.close();
    }
    cursor = snapshot.scan(KeyRange.of(from, end), false);
    try {
      onEntry = cursor.next();
    } catch (RuntimeException | Error e) {
      cursor.close();
      throw e;
    }
  }

  @Override
  public TableMetadata metadata() {
    return metadata;
  }

  @Override
  public boolean hasNext() {
    passPartition();
    return onEntry;
  }

  private void passPartition() {
    if (begun != null) {
      if (onEntry && EntryKeys.isOf(cursor.key(), begun)) {
        go(EntryKeys.behindRows(begun));
      }
      begun = null;
    }
  }

  @Override
  public UnfilteredRowIterator next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    DecoratedKey key = EntryKeys.partitionOf(cursor.key(), metadata.partitioner);
    begun = EntryKeys.partition(key);
    PartitionHeader header = PartitionHeader.NONE;
    if (EntryKeys.isHeader(cursor.key(), begun)) {
      header = values.header(cursor.value(), metadata);
      onEntry = cursor.next();
    }
    ClusteringIndexFilter filter = range.clusteringIndexFilter(key);
    Slices slices = filter.getSlices(metadata);
    if (filter.isReversed() || !isAll(slices)) {
      return reader.read(key, header, slices, columns, filter.isReversed());
    }
    WholeRows rows = new WholeRows(begun);
    return new StoredPartition(
        metadata, key, columns, header, Slices.ALL, false, all -> rows, () -> {});
  }

  /** A partition that can have one row only is asked for by that row's name. */
  private boolean isAll(Slices slices) {
    return slices == Slices.ALL || (metadata.comparator.size() == 0 && slices.size() > 0);
  }

  /** The rows that the cursor comes by until the partition ends. */
  private final class WholeRows extends AbstractIterator<Row> {
    private final byte[] partition;

    WholeRows(byte[] partition) {
      this.partition = partition;
    }

    @Override
    protected Row computeNext() {
      while (onEntry && EntryKeys.isOf(cursor.key(), partition)) {
        Row row = values.row(cursor.value(), metadata);
        onEntry = cursor.next();
        if (row != null) {
          return row;
        }
      }
      return endOfData();
    }
  }

  @Override
  public void close() {
    try {
      cursor.close();
    } finally {
      onClose.run();
    }
  }
}
