/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import java.util.Iterator;
import java.util.function.Function;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.AbstractUnfilteredRowIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.RowAndDeletionMergeIterator;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.schema.TableMetadata;

/** Slices of a partition, one after the other, with what its header deletes. */
final class StoredPartition extends AbstractUnfilteredRowIterator {
  private final ColumnFilter selection;
  private final PartitionHeader header;
  private final Slices slices;
  private final Function<Slice, Iterator<Row>> rowsOf;
  private final Runnable onClose;
  private Iterator<Unfiltered> slice;
  private int begun;

  /**
   * A partition.
   *
   * @param rowsOf opens a slice's rows, in the order that is asked for; nothing of the slice before
   *     is read again
   * @param onClose called once
   */
  StoredPartition(
      TableMetadata metadata,
      DecoratedKey key,
      ColumnFilter columns,
      PartitionHeader header,
      Slices slices,
      boolean reversed,
      Function<Slice, Iterator<Row>> rowsOf,
      Runnable onClose) {
    super(
        metadata,
        key,
        header.deletions().getPartitionDeletion(),
        columns.fetchedColumns(),
        staticRow(metadata, header, columns),
        reversed,
        EncodingStats.NO_STATS);
    this.selection = columns;
    this.header = header;
    this.slices = slices;
    this.rowsOf = rowsOf;
    this.onClose = onClose;
  }

  private static Row staticRow(
      TableMetadata metadata, PartitionHeader header, ColumnFilter columns) {
    if (columns.fetchedColumns().statics.isEmpty() || header.staticRow().isEmpty()) {
      return Rows.EMPTY_STATIC_ROW;
    }
    Row row =
        header
            .staticRow()
            .filter(columns, header.deletions().getPartitionDeletion(), false, metadata);
    return row == null ? Rows.EMPTY_STATIC_ROW : row;
  }

  @Override
  protected Unfiltered computeNext() {
    while (slice == null || !slice.hasNext()) {
      if (begun == slices.size()) {
        return endOfData();
      }
      slice = open(slices.get(isReverseOrder ? slices.size() - 1 - begun : begun));
      begun++;
    }
    return slice.next();
  }

  private Iterator<Unfiltered> open(Slice next) {
    return new RowAndDeletionMergeIterator(
        metadata,
        partitionKey,
        partitionLevelDeletion,
        selection,
        Rows.EMPTY_STATIC_ROW,
        isReverseOrder,
        stats,
        rowsOf.apply(next),
        header.deletions().rangeIterator(next, isReverseOrder),
        true);
  }

  @Override
  public void close() {
    onClose.run();
  }
}
