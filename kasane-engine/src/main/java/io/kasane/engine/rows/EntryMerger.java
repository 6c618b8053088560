/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.Columns;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.RangeTombstoneMarker;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Merges partitions into an engine's table: reads what is there of each row, and writes what both
 * make. A deletion goes into the partition's header, and what it deletes goes away.
 *
 * <p>Entries only merge, so it may be done again after a failure half way. One at a time for each
 * table; each for one thread. What has been merged is in the engine after {@link #finish()}.
 */
final class EntryMerger implements AutoCloseable {
  /** As much is read, or written, at once. */
  private static final int MAX_ROWS = 256;

  /** How many stored rows are read at once before it is known how large they are. */
  private static final int FIRST_ROWS = 4;

  /** Of large rows; a batch lies in memory until it is applied. */
  private static final long MAX_BYTES = 4 << 20;

  private final EngineTable table;
  private final EntrySchemas epochs;
  private final EntryValues values;
  private final TableMetadata metadata;
  private final Runnable onProgress;
  private final ColumnFilter all;
  private final List<Row> waiting = new ArrayList<>();
  private EngineSnapshot stored;
  private EntryReader reader;
  private EngineBatch batch = new EngineBatch();
  private long waitingBytes;
  private int rowsAtOnce = FIRST_ROWS;

  private byte[] partition;
  private PartitionHeader header;
  private DeletionTime deletion;
  private RegularAndStaticColumns epochColumns;
  private int epoch;

  /**
   * A merge into a table.
   *
   * @param onProgress called for each row that comes, is read or is swept
   */
  EntryMerger(
      EngineTable table,
      EntrySchemas epochs,
      EntryValues values,
      TableMetadata metadata,
      Runnable onProgress) {
    this.table = table;
    this.epochs = epochs;
    this.values = values;
    this.metadata = metadata;
    this.onProgress = onProgress;
    this.all = ColumnFilter.all(metadata);
    look();
  }

  private void look() {
    stored = table.snapshot();
    reader = new EntryReader(stored, values, metadata);
  }

  /** Merges a partition. */
  void merge(UnfilteredRowIterator rows) {
    byte[] last = partition;
    partition = EntryKeys.partition(rows.partitionKey());
    if (last != null && Arrays.compareUnsigned(partition, last) <= 0) {
      apply(); // it may have come before, in what is not seen yet
    }
    header = reader.header(partition);
    deletion = rows.partitionLevelDeletion();
    useColumns(rows.columns());
    MutableDeletionInfo.Builder deletions =
        MutableDeletionInfo.builder(deletion, metadata.comparator, false);
    while (rows.hasNext()) {
      onProgress.run();
      Unfiltered next = rows.next();
      if (next.isRangeTombstoneMarker()) {
        deletions.add((RangeTombstoneMarker) next);
      } else {
        add((Row) next);
      }
    }
    mergeWaiting();
    DeletionInfo added = deletions.build();
    mergeHeader(added, rows.staticRow());
    if (!added.isLive()) {
      sweep(added);
    }
  }

  private void useColumns(RegularAndStaticColumns columns) {
    if (!columns.equals(epochColumns)) {
      epochColumns = columns;
      epoch = epochs.current(metadata, columns);
    }
  }

  private void add(Row row) {
    waiting.add(row);
    waitingBytes += row.dataSize();
    if (waiting.size() == MAX_ROWS || waitingBytes >= MAX_BYTES) {
      mergeWaiting();
    }
  }

  private void mergeWaiting() {
    for (int from = 0; from < waiting.size(); ) {
      int to = Math.min(waiting.size(), from + rowsAtOnce);
      merge(waiting.subList(from, to));
      from = to;
    }
    waiting.clear();
    waitingBytes = 0;
  }

  private void merge(List<Row> rows) {
    List<byte[]> keys = new ArrayList<>(rows.size());
    for (Row row : rows) {
      keys.add(EntryKeys.row(partition, metadata.comparator, row.clustering()));
    }
    List<byte[]> before = stored.getAll(keys);
    long largest = 1;
    for (int i = 0; i < keys.size(); i++) {
      onProgress.run();
      Row row = rows.get(i);
      byte[] was = before.get(i);
      if (was != null) {
        largest = Math.max(largest, was.length);
        Row stays = values.row(was, metadata);
        row = stays == null ? row : Rows.merge(stays, row);
      }
      put(keys.get(i), shadowed(row));
    }
    rowsAtOnce =
        (int) Math.max(1, Math.min(Math.min(2L * rowsAtOnce, MAX_ROWS), MAX_BYTES / largest));
    applyIfLarge();
  }

  /** What the partition's deletions of before leave of a row; null if nothing. */
  private Row shadowed(Row row) {
    DeletionInfo before = header.deletions();
    DeletionTime newest = before.getPartitionDeletion();
    if (deletion.supersedes(newest)) {
      newest = deletion;
    }
    RangeTombstone range = before.hasRanges() ? before.rangeCovering(row.clustering()) : null;
    if (range != null && range.deletionTime().supersedes(newest)) {
      newest = range.deletionTime();
    }
    return newest.isLive() ? row : without(newest, row);
  }

  /** Cells of columns that were dropped before they came stay, as in stock. */
  private Row without(DeletionTime shadow, Row row) {
    ColumnFilter columns =
        metadata.droppedColumns.isEmpty()
            ? all
            : ColumnFilter.selection(metadata.regularAndStaticColumns().mergeTo(columnsOf(row)));
    return row.filter(columns, shadow, false, metadata);
  }

  private static RegularAndStaticColumns columnsOf(Row row) {
    Columns columns = Columns.from(row.columns());
    return row.isStatic()
        ? new RegularAndStaticColumns(columns, Columns.NONE)
        : new RegularAndStaticColumns(Columns.NONE, columns);
  }

  private void put(byte[] key, Row row) {
    if (row == null || row.isEmpty()) {
      batch.delete(key);
    } else {
      batch.put(key, values.row(row, epochOf(row), metadata));
    }
  }

  /** A row of before may have newer cells in a column that was dropped: stock keeps those, too. */
  private int epochOf(Row row) {
    if (metadata.droppedColumns.isEmpty()) {
      return epoch;
    }
    return epochs.current(metadata, epochColumns.mergeTo(columnsOf(row)));
  }

  private void mergeHeader(DeletionInfo added, Row staticRow) {
    if (added.isLive() && staticRow.isEmpty()) {
      return;
    }
    MutableDeletionInfo deletions = merged(header.deletions(), added);
    Row before = header.staticRow();
    Row merged =
        before.isEmpty() ? staticRow : staticRow.isEmpty() ? before : Rows.merge(before, staticRow);
    if (!merged.isEmpty() && !deletions.getPartitionDeletion().isLive()) {
      Row left = without(deletions.getPartitionDeletion(), merged);
      merged = left == null ? Rows.EMPTY_STATIC_ROW : left;
    }
    PartitionHeader now = new PartitionHeader(deletions, merged);
    batch.put(
        EntryKeys.header(partition),
        values.header(now, merged.isEmpty() ? epoch : epochOf(merged), metadata));
  }

  /** Without deletions of ranges that one of the whole partition covers. */
  private MutableDeletionInfo merged(DeletionInfo before, DeletionInfo added) {
    MutableDeletionInfo all = before.mutableCopy();
    all.add(added);
    DeletionTime whole = all.getPartitionDeletion();
    if (whole.isLive() || !all.hasRanges()) {
      return all;
    }
    MutableDeletionInfo needed = new MutableDeletionInfo(whole);
    all.rangeIterator(false)
        .forEachRemaining(
            range -> {
              if (range.deletionTime().supersedes(whole)) {
                needed.add(range, metadata.comparator);
              }
            });
    return needed;
  }

  /** What new deletions delete goes away: all that was merged before is seen by it. */
  private void sweep(DeletionInfo added) {
    apply();
    header = new PartitionHeader(added, Rows.EMPTY_STATIC_ROW);
    if (!added.getPartitionDeletion().isLive()) {
      sweep(Slice.ALL);
    } else {
      for (Iterator<RangeTombstone> ranges = added.rangeIterator(false); ranges.hasNext(); ) {
        sweep(ranges.next().deletedSlice());
      }
    }
  }

  private void sweep(Slice slice) {
    onProgress.run();
    try (EngineCursor cursor =
        stored.scan(EntryKeys.slice(partition, metadata.comparator, slice), false)) {
      while (cursor.next()) {
        onProgress.run();
        Row row = values.row(cursor.value(), metadata);
        Row left = row == null ? null : shadowed(row);
        if (row != null && !row.equals(left)) {
          put(cursor.key(), left);
        }
        if (batch.bytes() >= MAX_BYTES) {
          table.apply(batch); // the cursor goes on over what was there before
          batch = new EngineBatch();
        }
      }
    }
    apply();
  }

  private void applyIfLarge() {
    if (batch.bytes() >= MAX_BYTES || batch.changes().size() >= 4 * MAX_ROWS) {
      apply();
    }
  }

  private void apply() {
    if (!batch.isEmpty()) {
      table.apply(batch);
      batch = new EngineBatch();
      close();
      look();
    }
  }

  /** Applies what is left. */
  void finish() {
    apply();
  }

  @Override
  public void close() {
    stored.close();
  }
}
