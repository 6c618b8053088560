/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.rows;

import io.kasane.engine.spi.EngineCursor;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import io.kasane.engine.spi.KeyRange;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The rows of one of Cassandra's tables in an engine's table: one entry a row, and a header for
 * what a partition has besides. There must be one for each table. Reads may be made by any threads;
 * merges wait for one another.
 *
 * <p>Every call may throw an {@link io.kasane.engine.spi.EngineException}, also of what it returns.
 */
public final class RowStore {
  private static final KeyRange PARTITIONS = KeyRange.from(EntryKeys.FIRST_PARTITION);

  private final EngineTable table;
  private final EntrySchemas epochs;
  private final EntryValues values;

  /** The rows in {@code table}, whose keys may have any length. */
  public RowStore(EngineTable table) {
    this.table = table;
    this.epochs = new EntrySchemas(table);
    this.values = new EntryValues(epochs);
  }

  /** Whether there is no entry at all, not even a deletion. */
  public boolean isEmpty() {
    try (EngineSnapshot snapshot = table.snapshot();
        EngineCursor cursor = snapshot.scan(PARTITIONS, false)) {
      return !cursor.next();
    }
  }

  /** Whether there is anything of a partition, be it its deletion. */
  public boolean contains(TableMetadata metadata, DecoratedKey key) {
    try (EngineSnapshot snapshot = table.snapshot()) {
      return new EntryReader(snapshot, values, metadata).contains(EntryKeys.partition(key));
    }
  }

  /** Reads slices of a partition; null if there is nothing of it in them. To be closed. */
  public UnfilteredRowIterator read(
      TableMetadata metadata,
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed) {
    return read(metadata, key, slices, columns, reversed, EngineTable::snapshot);
  }

  /**
   * Reads slices of a partition; null if there is nothing of it in them. To be closed.
   *
   * @param open takes the snapshot that is read; it is closed when nothing more is read: also if
   *     there is nothing, or it fails
   */
  public UnfilteredRowIterator read(
      TableMetadata metadata,
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      Function<EngineTable, ? extends EngineSnapshot> open) {
    EngineSnapshot snapshot = open.apply(table);
    return new EntryReader(snapshot, values, metadata)
        .read(key, slices, columns, reversed, snapshot::close);
  }

  /**
   * Reads the partitions of a range in order, each to be closed before the next; those of which
   * nothing is asked for come, too, and are empty. To be closed.
   */
  public UnfilteredPartitionIterator scan(
      TableMetadata metadata, ColumnFilter columns, DataRange range) {
    return scan(metadata, columns, range, EngineTable::snapshot);
  }

  /**
   * Reads the partitions of a range in order, each to be closed before the next; those of which
   * nothing is asked for come, too, and are empty. To be closed.
   *
   * @param open takes the snapshot that is read; it is closed with what is returned, or if it fails
   */
  public UnfilteredPartitionIterator scan(
      TableMetadata metadata,
      ColumnFilter columns,
      DataRange range,
      Function<EngineTable, ? extends EngineSnapshot> open) {
    EngineSnapshot snapshot = open.apply(table);
    try {
      return new EntryScan(snapshot, values, metadata, columns, range, snapshot::close);
    } catch (RuntimeException | Error e) {
      snapshot.close();
      throw e;
    }
  }

  /** Looks at the table as it is now. To be closed soon. */
  public RowsSnapshot view(TableMetadata metadata) {
    return new RowsSnapshot(table.snapshot(), values, metadata);
  }

  /**
   * Merges partitions in, as {@link #merge(TableMetadata, Iterator, BooleanSupplier, Runnable)}.
   */
  public boolean merge(
      TableMetadata metadata,
      Iterator<? extends UnfilteredRowIterator> partitions,
      BooleanSupplier isCancelled) {
    return merge(metadata, partitions, isCancelled, () -> {});
  }

  /**
   * Merges partitions in, and closes each. All that was taken from {@code partitions} is applied,
   * and not synced. When it ends with an exception a part may have been merged: to merge all again
   * is right then.
   *
   * @param isCancelled asked before each partition; the rest is left to be taken then
   * @param onProgress called often, while the engine answers: for each partition and row that
   *     comes, and each stored row that is read or swept for it
   * @return whether all were merged
   */
  public synchronized boolean merge(
      TableMetadata metadata,
      Iterator<? extends UnfilteredRowIterator> partitions,
      BooleanSupplier isCancelled,
      Runnable onProgress) {
    try (EntryMerger merger = new EntryMerger(table, epochs, values, metadata, onProgress)) {
      while (partitions.hasNext()) {
        onProgress.run();
        if (isCancelled.getAsBoolean()) {
          merger.finish(); // whoever goes on does not bring these again
          return false;
        }
        try (UnfilteredRowIterator partition = partitions.next()) {
          merger.merge(partition);
        }
      }
      merger.finish();
      return true;
    }
  }

  /**
   * Takes deletions that nothing needs any more out of what is stored.
   *
   * @param from where to begin; null for the first partition
   * @param purgers say which deletions of a partition may go
   * @param nowInSec since the epoch
   * @param pauses asked after each entry
   * @return how far it came
   */
  public synchronized Progress purge(
      TableMetadata metadata,
      byte[] from,
      Function<DecoratedKey, DeletionPurger> purgers,
      long nowInSec,
      BooleanSupplier pauses) {
    EntryPurger purge = new EntryPurger(table, epochs, values, metadata, purgers, nowInSec);
    byte[] next = purge.run(from == null ? EntryKeys.FIRST_PARTITION : from, pauses);
    return new Progress(next, purge.changes());
  }

  /**
   * Removes partitions from the last one of a range on backwards, so that a partition's deletions
   * go behind what they delete.
   *
   * @param to the first entry behind what is to be removed; null for the range's end
   * @param pauses asked after each entry
   * @return how far it came
   */
  public synchronized Progress remove(
      AbstractBounds<PartitionPosition> range, byte[] to, BooleanSupplier pauses) {
    KeyRange keys = EntryKeys.range(range);
    EntryRemover remover = new EntryRemover(table);
    byte[] next = remover.run(to == null ? keys : KeyRange.of(keys.from(), to), pauses);
    return new Progress(next, remover.removed());
  }

  /** Counts the partitions from a range's begin on, by a look at each, until there are enough. */
  public PartitionSample sample(
      TableMetadata metadata, AbstractBounds<PartitionPosition> range, int most) {
    try (EngineSnapshot snapshot = table.snapshot()) {
      KeyRange keys = EntryKeys.range(range);
      DecoratedKey last = null;
      for (int count = 0; count < most; count++) {
        try (EngineCursor cursor = snapshot.scan(keys, false)) {
          if (!cursor.next()) {
            return new PartitionSample(count, null);
          }
          last = EntryKeys.partitionOf(cursor.key(), metadata.partitioner);
        }
        keys = KeyRange.of(EntryKeys.behindRows(EntryKeys.partition(last)), keys.to());
      }
      return new PartitionSample(most, last);
    }
  }

  /**
   * How many partitions of a range were counted.
   *
   * @param last where the count was ended; null if the range has no more
   */
  public record PartitionSample(long partitions, DecoratedKey last) {}

  /** How far a change came: where to go on, null at the end, and how many entries it changed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Progress(byte[] next, long changes) {}
}
