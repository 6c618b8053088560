/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.host.memtable.LayeredMemtable;
import io.kasane.tier.quota.FastDiskException;
import io.kasane.tier.quota.QuotaGuard;
import io.kasane.tier.sstables.Target;
import io.kasane.tier.sstables.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ClusteringIndexSliceFilter;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Bounds;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.utils.Throwables;

/**
 * Writes one memtable as one SSTable of cold rows on slow, one a shard of hot rows on fast, and one
 * of those hot rows that find no room there.
 *
 * <p>The flush's transaction knows nothing of fast: what goes there is complete before it begins to
 * end ({@link FastWriter}). It claims no part of the commit log, so that a crash before the flush
 * has ended replays all rows. If the fast disk fails, its rows are taken from the memtable once
 * more and written to slow. Used by one thread.
 */
public final class SplitFlushWriter implements SSTableMultiWriter {
  /** Makes an SSTable writer on slow that the flush's transaction tracks. */
  public interface SlowWriters {
    SSTableWriter make(Descriptor descriptor, long keyCount, Target target);
  }

  private final ColumnFamilyStore cfs;
  private final WrittenTable table;
  private final Memtable memtable;
  private final PlacementRun placement;
  private final SlowWriters writers;
  private final Consumer<SSTableWriter> untrack;
  private final long keyCount;
  private final int flushWriters;
  private final File slowDirectory;
  private final SSTableWriter slow;
  private final boolean takesCold;
  private final long boundOfAllBytes;
  private final int indexParts;
  private final FastWriter fast;
  private final List<SSTableWriter> all = new ArrayList<>();
  private SSTableWriter hot;
  private DecoratedKey firstOnFast; // null: there is none
  private DecoratedKey lastOnFast;
  private long coldRoomBytes;
  private long coldBytes;
  private boolean refusedHot;
  private boolean mayBeUnseen;
  private boolean wroteUnseen;
  private boolean fastFailed;
  private boolean openResult;

  /**
   * A writer.
   *
   * @param memtable what is flushed, or the part of it that belongs to a slow directory
   * @param header of the memtable
   * @param untrack makes the flush's transaction forget a writer
   */
  public SplitFlushWriter(
      WrittenTable table,
      Memtable memtable,
      SerializationHeader header,
      Descriptor slowDescriptor,
      long keyCount,
      SlowWriters writers,
      Consumer<SSTableWriter> untrack) {
    this.table = table;
    this.cfs = table.cfs();
    this.memtable = LayeredMemtable.inMemory(memtable);
    this.keyCount = keyCount;
    this.writers = writers;
    this.untrack = untrack;
    this.slowDirectory = slowDescriptor.directory;
    this.flushWriters = cfs.getDirectories().getWriteableLocations().length;
    this.placement = new PlacementRun(table, List.of(), PlacementRun.ColdRows.LEAVE);
    this.slow = writers.make(slowDescriptor, keyCount, Target.SLOW_COLD);
    all.add(slow);
    this.fast = new FastWriter(table, placement, false, claims(header));
    this.coldRoomBytes = placement.coldRoomBytes() / flushWriters;
    this.takesCold = coldRoomBytes > 0;
    OptionalLong bound = RowBounds.ofAll(this.memtable, keyCount, header.stats());
    this.boundOfAllBytes = bound.orElse(0);
    this.mayBeUnseen = bound.isPresent() && placement.bringsAllToFast();
    this.indexParts = QuotaGuard.indexParts(cfs.indexManager.listIndexGroups());
    if (table.fast().exists()) {
      table.copies().writesToFastOnly(this);
    }
  }

  private FastWriter.Claims claims(SerializationHeader header) {
    return new FastWriter.Claims(
        true,
        ActiveRepairService.UNREPAIRED_SSTABLE,
        ActiveRepairService.NO_PENDING_REPAIR,
        false,
        System.currentTimeMillis(),
        header,
        () -> new MetadataCollector(cfs.metadata().comparator));
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    if (isAdmittedUnseen(key)) {
      writeUnseen(partition);
      return;
    }
    boolean isHot = placement.isHot(key);
    if (!isHot && (coldRoomBytes <= 0 || !placement.mayFillIdleRoom(key))) {
      write(slow, partition);
      return;
    }
    if (!table.fast().exists()) {
      writeWithoutRoom(partition);
      return;
    }
    ImmutableBTreePartition whole = ImmutableBTreePartition.create(partition);
    boolean admitted = !fastFailed && (isHot ? admitsHot(key, whole) : admitsCold(key, whole));
    if (admitted && isWrittenToFast(whole, isHot)) {
      return;
    }
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      if (isHot) {
        writeWithoutRoom(rows);
      } else {
        write(slow, rows);
      }
    }
  }

  /** No row is larger than all of them. To look at each one first doubles what a flush costs. */
  private boolean isAdmittedUnseen(DecoratedKey key) {
    mayBeUnseen =
        mayBeUnseen
            && !fastFailed
            && (1 + indexParts) * boundOfAllBytes <= coldRoomBytes
            && fast.admits(key, boundOfAllBytes);
    return mayBeUnseen;
  }

  private void writeUnseen(UnfilteredRowIterator partition) {
    long before = fast.writtenBytes();
    boolean isWritten;
    try {
      isWritten = fast.append(partition, this::keysOfShard);
    } catch (FastDiskException e) {
      noteOnFast(partition.partitionKey());
      takeBackFromFast();
      return;
    }
    if (isWritten) {
      wroteUnseen = true;
      noteOnFast(partition.partitionKey());
      filledWithCold(fast.writtenBytes() - before);
    }
  }

  private boolean isWrittenToFast(ImmutableBTreePartition whole, boolean isHot) {
    long before = fast.writtenBytes();
    boolean isWritten;
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      isWritten = fast.append(rows, this::keysOfShard);
    } catch (FastDiskException e) {
      takeBackFromFast();
      return false;
    }
    if (isWritten) {
      noteOnFast(whole.partitionKey());
      if (!isHot) {
        filledWithCold(fast.writtenBytes() - before);
      }
    }
    return true;
  }

  private void noteOnFast(DecoratedKey key) {
    firstOnFast = firstOnFast == null ? key : firstOnFast;
    lastOnFast = key;
  }

  private void filledWithCold(long bytes) {
    coldBytes += bytes;
    coldRoomBytes -= bytes;
  }

  private long keysOfShard() {
    long rows = takesCold ? keyCount : placement.expectedHotKeys(keyCount);
    return Math.min(rows, flushWriters * rows / table.room().shards().count()) + 1;
  }

  /**
   * The rows that were to lie on fast come after others in time, so they need an SSTable apart. To
   * remember which they are would cost heap with each flush: all between the first and the last of
   * them are written, some for the second time.
   */
  private void takeBackFromFast() {
    fastFailed = true;
    fast.close();
    if (firstOnFast == null) {
      return;
    }
    Target target = placement.withoutRoom();
    SSTableWriter apart = writers.make(cfs.newSSTableDescriptor(slowDirectory), keyCount, target);
    apart.setOpenResult(openResult);
    all.add(apart);
    try (UnfilteredPartitionIterator found = inMemory()) {
      while (found.hasNext()) {
        try (UnfilteredRowIterator partition = found.next()) {
          if (!partition.isEmpty()) {
            write(apart, partition);
          }
        }
      }
    }
    firstOnFast = null;
  }

  /**
   * Only an SSTable of the flush's own transaction says that the commit log need not be replayed. A
   * flush without one, again and again, would after a crash bring back a row of which the deletion
   * has left the log and both have been purged. So one row goes to slow, too. It is not the first
   * one where the column that this one wrote was dropped meanwhile.
   */
  private void claimCommitLog() {
    boolean isClaimed = all.stream().anyMatch(writer -> writer.getFilePointer() > 0);
    if (firstOnFast == null || isClaimed) {
      return;
    }
    SSTableWriter claim = // an SSTable of its own: the filter of the other is for all keys
        writers.make(cfs.newSSTableDescriptor(slowDirectory), 1, Target.SLOW_COLD);
    claim.setOpenResult(openResult);
    all.add(claim);
    try (UnfilteredPartitionIterator found = inMemory()) {
      while (found.hasNext() && claim.getFilePointer() == 0) {
        try (UnfilteredRowIterator partition = found.next();
            UnfilteredRowIterator row = OneRow.of(partition)) {
          write(claim, row);
        }
      }
    }
  }

  /** From the first to the last that went to fast. */
  private UnfilteredPartitionIterator inMemory() {
    DataRange range =
        new DataRange(
            new Bounds<>(firstOnFast, lastOnFast),
            new ClusteringIndexSliceFilter(Slices.ALL, false));
    return memtable.partitionIterator(
        ColumnFilter.all(cfs.metadata()), range, SSTableReadsListener.NOOP_LISTENER);
  }

  private boolean admitsHot(DecoratedKey key, ImmutableBTreePartition whole) {
    boolean admitted = fast.admits(key, RowBounds.onDiskBytes(whole));
    if (!admitted) {
      refusedHot = true;
      placement.refusedByQuota();
    }
    return admitted;
  }

  private boolean admitsCold(DecoratedKey key, ImmutableBTreePartition whole) {
    long boundBytes = RowBounds.onDiskBytes(whole);
    if (boundBytes > coldRoomBytes) {
      return false;
    }
    boolean admitted = fast.admits(key, boundBytes);
    coldRoomBytes = admitted ? coldRoomBytes : 0;
    return admitted;
  }

  private void writeWithoutRoom(UnfilteredRowIterator partition) {
    if (placement.withoutRoom() == Target.SLOW_COLD) {
      write(slow, partition);
      return;
    }
    if (hot == null) {
      Descriptor descriptor = cfs.newSSTableDescriptor(slowDirectory);
      hot = writers.make(descriptor, placement.expectedHotKeys(keyCount), Target.SLOW_HOT);
      all.add(hot);
    }
    write(hot, partition);
  }

  private void write(SSTableWriter writer, UnfilteredRowIterator partition) {
    long before = writer.getFilePointer();
    AbstractRowIndexEntry position = writer.append(partition);
    if (position != null) {
      placement.written(partition.partitionKey(), Tier.SLOW, writer, before, position);
    }
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
    try {
      fast.finish();
    } catch (FastDiskException e) {
      takeBackFromFast();
    }
    fast.close();
    claimCommitLog();
    dropEmptyWriters();
    all.forEach(SSTableWriter::prepareToCommit);
  }

  @Override
  public Throwable commit(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      failure = writer.commit(failure);
    }
    long hotBytes = wroteUnseen ? 0 : Math.max(0, fast.askedBytes() - coldBytes);
    table.room().flushed(flushWriters * hotBytes, refusedHot);
    table.copies().endsWriting(this);
    return failure;
  }

  @Override
  public Throwable abort(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      untrack.accept(writer);
      failure = writer.abort(failure);
    }
    fast.close();
    table.copies().endsWriting(this);
    return failure;
  }

  @Override
  public Collection<SSTableReader> finish(boolean openResult) {
    setOpenResult(openResult);
    prepareToCommit();
    Throwables.maybeFail(commit(null));
    return finished();
  }

  @Override
  public Collection<SSTableReader> finished() {
    List<SSTableReader> live = all.stream().map(SSTableWriter::finished).toList();
    placement.completed(live);
    return live;
  }

  @Override
  public SSTableMultiWriter setOpenResult(boolean openResult) {
    this.openResult = openResult;
    all.forEach(writer -> writer.setOpenResult(openResult));
    return this;
  }

  @Override
  public String getFilename() {
    return slow.getFilename();
  }

  @Override
  public long getBytesWritten() {
    return fast.writtenBytes() + all.stream().mapToLong(SSTableWriter::getFilePointer).sum();
  }

  @Override
  public long getOnDiskBytesWritten() {
    return fast.writtenBytes()
        + all.stream().mapToLong(SSTableWriter::getEstimatedOnDiskBytesWritten).sum();
  }

  @Override
  public TableId getTableId() {
    return cfs.metadata().id;
  }

  @Override
  public void close() {
    all.forEach(SSTableWriter::close);
    fast.close();
  }
}
