/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.Throwables;

/**
 * Writes one memtable as one SSTable of cold rows on slow, one a shard of hot rows on fast, and one
 * of those hot rows that find no room there; all belong to the flush's transaction, so a crash
 * leaves all or none. Used by one thread.
 */
final class SplitFlushWriter implements SSTableMultiWriter {
  /** Makes an SSTable writer that the flush's transaction tracks. */
  interface Writers {
    SSTableWriter make(Descriptor descriptor, long keyCount, Target target);
  }

  private final ColumnFamilyStore cfs;
  private final TableTiers table;
  private final PlacementRun placement;
  private final FastAllowance allowance;
  private final Writers writers;
  private final Consumer<SSTableWriter> untrack;
  private final long keyCount;
  private final int flushWriters;
  private final File slowDirectory;
  private final SSTableWriter slow;
  private final boolean takesCold;
  private final List<SSTableWriter> all = new ArrayList<>();
  private SSTableWriter hot;
  private SSTableWriter fast;
  private int fastShard = -1;
  private long coldRoomBytes;
  private long coldBytes;
  private boolean refusedHot;

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
    this.slowDirectory = slowDescriptor.directory;
    this.flushWriters = cfs.getDirectories().getWriteableLocations().length;
    this.placement = new PlacementRun(table, List.of(), PlacementRun.ColdRows.LEAVE);
    this.slow = writers.make(slowDescriptor, keyCount, Target.SLOW_COLD);
    all.add(slow);
    this.allowance = new FastAllowance(cfs, placement.reserve(false));
    this.coldRoomBytes = placement.coldRoomBytes() / flushWriters;
    this.takesCold = coldRoomBytes > 0;
    if (table.fast().exists()) {
      table.copies().writesToFastOnly(this);
    }
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    boolean isHot = placement.isHot(key);
    if (!isHot && (coldRoomBytes <= 0 || !placement.wouldLeave(key))) {
      write(slow, partition, Target.SLOW_COLD);
      return;
    }
    if (!table.fast().exists()) {
      writeWithoutRoom(partition);
      return;
    }
    ImmutableBTreePartition whole = ImmutableBTreePartition.create(partition);
    boolean admitted = isHot ? admitsHot(key, whole) : admitsCold(key, whole);
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      if (admitted) {
        long before = allowance.writtenBytes();
        write(fastWriter(key), rows, Target.FAST);
        allowance.appended(key);
        if (!isHot) {
          coldBytes += allowance.writtenBytes() - before;
          coldRoomBytes -= allowance.writtenBytes() - before;
        }
      } else if (isHot) {
        writeWithoutRoom(rows);
      } else {
        write(slow, rows, Target.SLOW_COLD);
      }
    }
  }

  private boolean admitsHot(DecoratedKey key, ImmutableBTreePartition whole) {
    boolean admitted = allowance.admits(key, StagedRows.boundBytes(whole));
    if (!admitted) {
      refusedHot = true;
      placement.refusedByQuota();
    }
    return admitted;
  }

  private boolean admitsCold(DecoratedKey key, ImmutableBTreePartition whole) {
    long boundBytes = StagedRows.boundBytes(whole);
    if (boundBytes > coldRoomBytes) {
      return false;
    }
    boolean admitted = allowance.admits(key, boundBytes);
    coldRoomBytes = admitted ? coldRoomBytes : 0;
    return admitted;
  }

  private void writeWithoutRoom(UnfilteredRowIterator partition) {
    if (placement.withoutRoom() == Target.SLOW_COLD) {
      write(slow, partition, Target.SLOW_COLD);
      return;
    }
    if (hot == null) {
      Descriptor descriptor = cfs.newSSTableDescriptor(slowDirectory);
      hot = writers.make(descriptor, placement.expectedHotKeys(keyCount), Target.SLOW_HOT);
      all.add(hot);
    }
    write(hot, partition, Target.SLOW_HOT);
  }

  private void write(SSTableWriter writer, UnfilteredRowIterator partition, Target target) {
    long before = writer.getFilePointer();
    writer.append(partition);
    placement.written(partition.partitionKey(), target.tier(), writer, before);
  }

  private SSTableWriter fastWriter(DecoratedKey key) {
    int shard = table.shards().of(key.getToken());
    if (fast == null || shard != fastShard) {
      long rows = takesCold ? keyCount : placement.expectedHotKeys(keyCount);
      long keys = flushWriters * rows / table.shards().count() + 1;
      File directory = table.fast().writeDirectory().orElseThrow();
      fast = writers.make(cfs.newSSTableDescriptor(directory), keys, Target.FAST);
      all.add(fast);
      allowance.opened(fast, keys);
      fastShard = shard;
    }
    return fast;
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
    long hotBytes = Math.max(0, allowance.askedBytes() - coldBytes);
    table.room().flushed(flushWriters * hotBytes, refusedHot);
    if (all.isEmpty()) {
      table.copies().endsWriting(this);
    } else {
      table.copies().committed(this, all.get(0).descriptor);
    }
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
    table.copies().endsWriting(this);
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
