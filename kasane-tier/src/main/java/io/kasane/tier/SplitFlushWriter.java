/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.Throwables;

/**
 * Writes one memtable as one SSTable on slow and, a shard each, SSTables on fast; all belong to the
 * flush's transaction, so a crash leaves all or none. Used by one thread.
 */
final class SplitFlushWriter implements SSTableMultiWriter {
  /** Serialised data is at most about twice the cells' data (flags, timestamps, lengths). */
  private static final long SERIALISED_PER_DATA_BYTE = 2;

  private static final long SERIALISED_PER_ROW_BYTES = 128;

  /** Makes an SSTable writer that the flush's transaction tracks. */
  interface Writers extends BiFunction<Descriptor, Long, SSTableWriter> {}

  private final ColumnFamilyStore cfs;
  private final TableTiers table;
  private final PlacementRun placement;
  private final FastAllowance allowance;
  private final Writers writers;
  private final Consumer<SSTableWriter> untrack;
  private final long keyCount;
  private final File fastDirectory;
  private final SSTableWriter slow;
  private final List<SSTableWriter> all = new ArrayList<>();
  private SSTableWriter fast;
  private int fastShard = -1;

  SplitFlushWriter(
      TableTiers table,
      Descriptor slowDescriptor,
      long keyCount,
      Writers writers,
      Consumer<SSTableWriter> untrack) {
    this.table = table;
    this.cfs = table.cfs();
    this.keyCount = keyCount;
    this.writers = writers;
    this.untrack = untrack;
    this.fastDirectory = table.fast().writeDirectory().orElseThrow();
    this.placement = new PlacementRun(table, List.of());
    this.slow = writers.apply(slowDescriptor, keyCount);
    all.add(slow);
    this.allowance = new FastAllowance(cfs, table.fast().reserve(placement.keepFreeBytes()));
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    if (placement.choose(key) == Tier.SLOW) {
      write(slow, partition, Tier.SLOW);
      return;
    }
    ImmutableBTreePartition whole = ImmutableBTreePartition.create(partition);
    boolean admitted = allowance.admits(key, boundBytes(whole));
    if (!admitted) {
      placement.refusedByQuota();
    }
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      if (admitted) {
        write(fastWriter(key), rows, Tier.FAST);
        allowance.appended(key);
      } else {
        write(slow, rows, Tier.SLOW);
      }
    }
  }

  private void write(SSTableWriter writer, UnfilteredRowIterator partition, Tier tier) {
    long before = writer.getFilePointer();
    writer.append(partition);
    placement.written(partition.partitionKey(), tier, writer, before);
  }

  private SSTableWriter fastWriter(DecoratedKey key) {
    int shard = table.shards().of(key.getToken());
    if (fast == null || shard != fastShard) {
      long keys = placement.expectedFastKeys(keyCount) / table.shards().count() + 1;
      fast = writers.apply(cfs.newSSTableDescriptor(fastDirectory), keys);
      all.add(fast);
      allowance.opened(fast, keys);
      fastShard = shard;
    }
    return fast;
  }

  private static long boundBytes(ImmutableBTreePartition partition) {
    long bytes = SERIALISED_PER_ROW_BYTES + partition.staticRow().dataSize();
    for (Row row : partition) {
      bytes += SERIALISED_PER_ROW_BYTES + row.dataSize();
    }
    var deletions = partition.deletionInfo();
    return SERIALISED_PER_DATA_BYTE * (bytes + deletions.dataSize());
  }

  private void dropEmptyWriters() {
    all.removeIf(
        writer -> {
          if (writer.getFilePointer() > 0) {
            return false;
          }
          untrack.accept(writer);
          Throwables.maybeFail(writer.abort(null));
          return true;
        });
  }

  @Override
  public void prepareToCommit() {
    dropEmptyWriters();
    all.forEach(SSTableWriter::prepareToCommit);
  }

  @Override
  public Throwable commit(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      failure = writer.commit(failure);
    }
    allowance.close();
    return failure;
  }

  @Override
  public Throwable abort(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      untrack.accept(writer);
      failure = writer.abort(failure);
    }
    allowance.close();
    return failure;
  }

  @Override
  public Collection<SSTableReader> finish(boolean openResult) {
    dropEmptyWriters();
    List<SSTableReader> readers = new ArrayList<>();
    for (SSTableWriter writer : all) {
      readers.add(writer.finish(openResult));
    }
    allowance.close();
    return readers;
  }

  @Override
  public Collection<SSTableReader> finished() {
    return all.stream().map(SSTableWriter::finished).toList();
  }

  @Override
  public SSTableMultiWriter setOpenResult(boolean openResult) {
    all.forEach(writer -> writer.setOpenResult(openResult));
    return this;
  }

  @Override
  public String getFilename() {
    return slow.getFilename();
  }

  @Override
  public long getBytesWritten() {
    return all.stream().mapToLong(SSTableWriter::getFilePointer).sum();
  }

  @Override
  public long getOnDiskBytesWritten() {
    return all.stream().mapToLong(SSTableWriter::getEstimatedOnDiskBytesWritten).sum();
  }

  @Override
  public TableId getTableId() {
    return cfs.metadata().id;
  }

  @Override
  public void close() {
    all.forEach(SSTableWriter::close);
    allowance.close();
  }
}
