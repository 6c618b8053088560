/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.KeyRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/** Reads partitions of one snapshot, which it does not close. For one thread. */
final class EntryReader {
  private final EngineSnapshot snapshot;
  private final EntryValues values;
  private final TableMetadata metadata;

  EntryReader(EngineSnapshot snapshot, EntryValues values, TableMetadata metadata) {
    this.snapshot = snapshot;
    this.values = values;
    this.metadata = metadata;
  }

  PartitionHeader header(byte[] partition) {
    return headerOf(snapshot.get(EntryKeys.header(partition)));
  }

  private PartitionHeader headerOf(byte[] value) {
    return value == null ? PartitionHeader.NONE : values.header(value, metadata);
  }

  /** Whether there is anything of a partition. */
  boolean contains(byte[] partition) {
    try (EngineCursor cursor = snapshot.scan(all(partition), false)) {
      return cursor.next();
    }
  }

  static KeyRange all(byte[] partition) {
    return KeyRange.of(EntryKeys.header(partition), EntryKeys.behindRows(partition));
  }

  /**
   * Reads slices of a partition; null if there is nothing of it in them.
   *
   * @param onClose called when what is returned is closed, or before null is returned
   */
  UnfilteredRowIterator read(
      DecoratedKey key, Slices slices, ColumnFilter columns, boolean reversed, Runnable onClose) {
    byte[] partition = EntryKeys.partition(key);
    Slicing slicing = new Slicing(partition, reversed, onClose);
    boolean isFound = false;
    try {
      PartitionHeader header = slicing.header(slices);
      StoredPartition read = slicing.read(key, header, slices, columns);
      isFound = !header.isEmpty() || read.hasNext();
      return isFound ? read : null;
    } finally {
      if (!isFound) {
        slicing.close();
      }
    }
  }

  /** Slices of a partition whose header is known; empty if there is nothing of it in them. */
  UnfilteredRowIterator read(
      DecoratedKey key,
      PartitionHeader header,
      Slices slices,
      ColumnFilter columns,
      boolean reversed) {
    return new Slicing(EntryKeys.partition(key), reversed, () -> {})
        .read(key, header, slices, columns);
  }

  /** Rows between two bounds, in key order or against it. The caller closes them. */
  private StoredRows rows(byte[] partition, Slice slice, boolean reversed) {
    KeyRange range = EntryKeys.slice(partition, metadata.comparator, slice);
    return new StoredRows(snapshot.scan(range, reversed), values, metadata);
  }

  /** The slices of one partition: one cursor at a time, and none for a single row. */
  private final class Slicing implements AutoCloseable {
    private final byte[] partition;
    private final boolean reversed;
    private final Runnable onClose;
    private StoredRows open;

    /** The only row that is asked for, which was got with the header; null if there is none. */
    private byte[] only;

    private boolean isOnly;

    Slicing(byte[] partition, boolean reversed, Runnable onClose) {
      this.partition = partition;
      this.reversed = reversed;
      this.onClose = onClose;
    }

    StoredPartition read(
        DecoratedKey key, PartitionHeader header, Slices slices, ColumnFilter columns) {
      return new StoredPartition(
          metadata, key, columns, header, slices, reversed, this::open, this::close);
    }

    /** Of a single row both are got at once: that is one call of a server. */
    PartitionHeader header(Slices slices) {
      Clustering<?> single = slices.size() == 1 ? singleRow(slices.get(0)) : null;
      if (single == null) {
        return EntryReader.this.header(partition);
      }
      List<byte[]> both =
          snapshot.getAll(
              List.of(
                  EntryKeys.header(partition),
                  EntryKeys.row(partition, metadata.comparator, single)));
      isOnly = true;
      only = both.get(1);
      return headerOf(both.get(0));
    }

    private Iterator<Row> open(Slice slice) {
      closeRows();
      if (isOnly) {
        return row(only);
      }
      Clustering<?> single = singleRow(slice);
      if (single != null) {
        return row(snapshot.get(EntryKeys.row(partition, metadata.comparator, single)));
      }
      open = rows(partition, slice, reversed);
      return open;
    }

    private Iterator<Row> row(byte[] value) {
      Row row = value == null ? null : values.row(value, metadata);
      return row == null ? Collections.emptyIterator() : List.of(row).iterator();
    }

    private void closeRows() {
      if (open != null) {
        open.close();
        open = null;
      }
    }

    @Override
    public void close() {
      try {
        closeRows();
      } finally {
        onClose.run();
      }
    }
  }

  /** The row that a slice asks for, if it is one row. */
  private Clustering<?> singleRow(Slice slice) {
    if (metadata.comparator.size() == 0) {
      return Clustering.EMPTY;
    }
    ClusteringBound<?> start = slice.start();
    ClusteringBound<?> end = slice.end();
    boolean isSingle =
        start.size() == metadata.comparator.size()
            && start.isInclusive()
            && end.isInclusive()
            && Arrays.equals(start.getBufferArray(), end.getBufferArray());
    return isSingle ? Clustering.make(start.getBufferArray()) : null;
  }
}
