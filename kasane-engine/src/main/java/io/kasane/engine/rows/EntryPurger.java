/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineBatch;
import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.cassandra.db.Columns;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionInfo;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.MutableDeletionInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.Rows;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Takes deletions that nothing needs any more out of entries, and what has expired. Nothing may
 * merge into the table meanwhile. For one thread.
 */
final class EntryPurger {
  /** While a batch is applied LMDB lets no other write, so it is small. */
  private static final long MAX_BYTES = 1 << 20;

  private final EngineTable table;
  private final EntrySchemas epochs;
  private final EntryValues values;
  private final TableMetadata metadata;
  private final ColumnFilter all;
  private final Function<DecoratedKey, DeletionPurger> purgers;
  private final long nowInSec;
  private DeletionPurger purger;
  private EngineBatch batch = new EngineBatch();
  private long changes;

  /**
   * A purge.
   *
   * @param purgers say which deletions of a partition may go
   * @param nowInSec since the epoch; what has expired by then counts as deleted
   */
  EntryPurger(
      EngineTable table,
      EntrySchemas epochs,
      EntryValues values,
      TableMetadata metadata,
      Function<DecoratedKey, DeletionPurger> purgers,
      long nowInSec) {
    this.table = table;
    this.epochs = epochs;
    this.values = values;
    this.metadata = metadata;
    this.all = ColumnFilter.all(metadata);
    this.purgers = purgers;
    this.nowInSec = nowInSec;
  }

  /** How many entries were changed or deleted. */
  long changes() {
    return changes;
  }

  /**
   * Purges partitions in their order.
   *
   * @param from the first key to look at
   * @param pauses asked after each entry
   * @return where to go on after a pause; null at the end
   */
  byte[] run(byte[] from, BooleanSupplier pauses) {
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(KeyRange.from(from), false)) {
      boolean onEntry = cursor.next();
      while (onEntry) {
        DecoratedKey key = EntryKeys.partitionOf(cursor.key(), metadata.partitioner);
        byte[] partition = EntryKeys.partition(key);
        purger = purgers.apply(key);
        PartitionHeader header = header(snapshot, partition);
        if (EntryKeys.isHeader(cursor.key(), partition)) {
          onEntry = cursor.next();
        }
        while (onEntry && EntryKeys.isOf(cursor.key(), partition)) {
          purgeRow(cursor, header);
          onEntry = cursor.next();
          if (onEntry && EntryKeys.isOf(cursor.key(), partition) && pauses.getAsBoolean()) {
            byte[] next = cursor.key();
            apply();
            return next;
          }
        }
        // Last, when all that it may still delete was looked at, be it before a pause.
        purgeHeader(partition, header);
        if (pauses.getAsBoolean()) {
          apply();
          return EntryKeys.behindRows(partition);
        }
      }
      apply();
      return null;
    }
  }

  private PartitionHeader header(EngineSnapshot snapshot, byte[] partition) {
    byte[] value = snapshot.get(EntryKeys.header(partition));
    return value == null ? PartitionHeader.NONE : values.header(value, metadata);
  }

  private void purgeRow(EngineCursor cursor, PartitionHeader header) {
    Row row = values.row(cursor.value(), metadata);
    if (row == null) {
      change(cursor.key(), null); // all of it was dropped from the schema
      return;
    }
    Row left = shadowed(row, header.deletions());
    if (left != null) {
      left = left.purge(purger, nowInSec, metadata.enforceStrictLiveness());
    }
    if (left == null || left.isEmpty()) {
      change(cursor.key(), null);
    } else if (!left.equals(row)) {
      change(cursor.key(), values.row(left, epochOf(left), metadata));
    }
  }

  /** A crash may have come between a deletion and the sweep of what it deletes. */
  private Row shadowed(Row row, DeletionInfo deletions) {
    DeletionTime newest = deletions.getPartitionDeletion();
    RangeTombstone range = deletions.hasRanges() ? deletions.rangeCovering(row.clustering()) : null;
    if (range != null && range.deletionTime().supersedes(newest)) {
      newest = range.deletionTime();
    }
    return newest.isLive() ? row : row.filter(all, newest, false, metadata);
  }

  private void purgeHeader(byte[] partition, PartitionHeader header) {
    if (header.isEmpty()) {
      return;
    }
    DeletionInfo deletions = purged(header.deletions());
    Row staticRow = header.staticRow();
    if (!staticRow.isEmpty()) {
      Row left = staticRow.purge(purger, nowInSec, false);
      staticRow = left == null ? Rows.EMPTY_STATIC_ROW : left;
    }
    PartitionHeader now = new PartitionHeader(deletions, staticRow);
    if (now.isEmpty()) {
      change(EntryKeys.header(partition), null);
    } else if (!now.equals(header)) {
      change(EntryKeys.header(partition), values.header(now, epochOf(staticRow), metadata));
    }
  }

  private DeletionInfo purged(DeletionInfo deletions) {
    DeletionTime whole = deletions.getPartitionDeletion();
    boolean keepsWhole = !purger.shouldPurge(whole);
    MutableDeletionInfo left = new MutableDeletionInfo(keepsWhole ? whole : DeletionTime.LIVE);
    boolean isChanged = !keepsWhole;
    for (Iterator<RangeTombstone> ranges = deletions.rangeIterator(false); ranges.hasNext(); ) {
      RangeTombstone range = ranges.next();
      if (purger.shouldPurge(range.deletionTime())) {
        isChanged = true;
      } else {
        left.add(range, metadata.comparator);
      }
    }
    return isChanged ? left : deletions;
  }

  private int epochOf(Row row) {
    Columns columns = row.isEmpty() ? Columns.NONE : Columns.from(row.columns());
    return epochs.current(
        metadata,
        row.isStatic()
            ? new RegularAndStaticColumns(columns, Columns.NONE)
            : new RegularAndStaticColumns(Columns.NONE, columns));
  }

  private void change(byte[] key, byte[] value) {
    if (value == null) {
      batch.delete(key);
    } else {
      batch.put(key, value);
    }
    changes++;
    if (batch.bytes() >= MAX_BYTES) {
      apply(); // the cursor goes on over what was there before
    }
  }

  private void apply() {
    if (!batch.isEmpty()) {
      table.apply(batch);
      batch = new EngineBatch();
    }
  }
}
