/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.skipindex.CompactedRowTracker;
import io.kasane.copies.skipindex.SkipStateTransfer;
import io.kasane.copies.sstables.CompactionPositions;
import io.kasane.copies.sstables.Tier;
import io.kasane.copies.sstables.WriterMetadata;
import io.kasane.tier.quota.FastDiskException;
import io.kasane.tier.sstables.SSTableTemperature;
import io.kasane.tier.sstables.SlowTarget;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.Directories.DataDirectory;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableRewriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.Throwables;

/**
 * Writes a compaction's output by heat: cold SSTables on slow as Cassandra would, hot ones on fast
 * a shard each, and hot ones on slow where fast has no room. In mode {@code cache} all rows go to
 * slow, and hot ones to fast too. Where all inputs are copies, those of cold rows are dropped.
 *
 * <p>What goes to fast is live before anything is taken away ({@link FastWriter}). The rest is one
 * transaction: two rewriters, one a target on slow, share it; the rewriter of the base class has no
 * writer and only drives it: prepare stages the new SSTables of both, then the base's rewriter
 * obsoletes the originals and commits once. So a crash leaves the inputs or the outputs on slow,
 * and on fast nothing that is not in either. None opens its output early: that would move the start
 * of the inputs past rows that another rewriter has not published. It must not depend on what the
 * table's strategy says about early opening at this moment, since ALTER TABLE can change the
 * strategy under a running task.
 */
public final class SplitCompactionWriter extends CompactionAwareWriter {
  private final PlacementContext table;
  private final ReplacedOverlaps overlaps;
  private final Runnable endSharing;
  private final PlacementRun placement;
  private final CompactionFastOutput fast;
  private final SSTableRewriter slow;
  private final SSTableRewriter hot;
  private final RowOriginalsTransaction rowTxn;
  private final CompactedRowTracker copies;
  private final boolean copiesOnly;
  private final boolean cache;
  private boolean writesHot;
  private boolean copiesFailed;
  private SlowTarget switchingTo = SlowTarget.SLOW_COLD;
  private long keyCount;

  public SplitCompactionWriter(
      PlacementContext table,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> inputs,
      boolean keepOriginals,
      PlacementRun.ColdRows coldRows,
      CompactionPositions rows,
      Runnable endSharing,
      ReplacedOverlaps overlaps) {
    super(table.cfs(), directories, txn, inputs, keepOriginals);
    this.table = table;
    this.keyCount = estimatedTotalKeys;
    this.placement = new PlacementRun(table, inputs, coldRows);
    this.copiesOnly = table.copies().mayBeDropped(txn.originals());
    this.cache = table.isCache();
    this.overlaps = overlaps;
    this.endSharing = endSharing;
    boolean transfers =
        coldRows != PlacementRun.ColdRows.STAY && (cache || !table.skippable().isHalfFull());
    SkipStateTransfer transfer =
        new SkipStateTransfer(
            table.skippable(), rows, nonExpiredSSTables, table::copiesRows, transfers);
    this.copies = new CompactedRowTracker(table.skippable(), table.copies(), transfer, copiesOnly);
    this.rowTxn = new RowOriginalsTransaction(txn, rows);
    SharedTransaction shared = new SharedTransaction(txn);
    this.slow = SSTableRewriter.constructWithoutEarlyOpening(shared, keepOriginals, maxAge);
    this.hot = SSTableRewriter.constructWithoutEarlyOpening(shared, keepOriginals, maxAge);
    this.fast = new CompactionFastOutput(table, placement, inputs, estimatedTotalKeys, claims());
    if (!cache && !copiesOnly && table.fast().exists()) {
      table.copies().writesToFastOnly(this);
    }
  }

  private WriterMetadata claims() {
    return new WriterMetadata(
        false,
        minRepairedAt,
        pendingRepair,
        isTransient,
        maxAge,
        SerializationHeader.make(cfs.metadata(), nonExpiredSSTables),
        () -> new MetadataCollector(txn.originals(), cfs.metadata().comparator));
  }

  @Override
  protected boolean realAppend(UnfilteredRowIterator partition) {
    boolean written = sort(partition);
    overlaps.rowWritten();
    return written;
  }

  private boolean sort(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    boolean isHot = placement.isHot(key);
    if (copiesOnly) {
      return appendCopy(partition, isHot);
    }
    boolean skippable = copies.inherits(slow.currentWriter().descriptor, key);
    if (cache && table.fast().exists()) {
      return appendToSlow(partition, isHot && !skippable);
    }
    if (!isHot || skippable) {
      return appendToSlow(partition);
    }
    if (table.fast().exists() && fast.finds(key)) {
      return fast.append(partition);
    }
    if (placement.withoutRoom() == SlowTarget.SLOW_COLD) {
      return appendToSlow(partition);
    }
    openHotWriter(key);
    return append(hot, partition);
  }

  private boolean appendCopy(UnfilteredRowIterator partition, boolean isHot) {
    if (isHot && fast.finds(partition.partitionKey())) {
      return fast.append(partition);
    }
    try (partition) {
      copies.dropped(partition.partitionKey());
      placement.dropped();
      return false;
    }
  }

  private boolean appendToSlow(UnfilteredRowIterator partition, boolean toFastToo) {
    DecoratedKey key = partition.partitionKey();
    if (!toFastToo || copiesFailed || !table.copiesRows() || fast.isTooLargeToHold(key)) {
      return appendToSlow(partition);
    }
    Descriptor output = slow.currentWriter().descriptor;
    ImmutableBTreePartition whole = ImmutableBTreePartition.create(partition);
    if (fast.finds(key)) {
      try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
        if (fast.append(rows)) {
          copies.copied(output, key);
        }
      } catch (FastDiskException e) {
        goOnWithoutCopies();
      }
    }
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      return appendToSlow(rows);
    }
  }

  /** Slow has all rows: that the fast disk fails is no reason to begin anew. */
  private void goOnWithoutCopies() {
    copiesFailed = true;
    copies.withoutCopied();
    fast.close();
  }

  /** Lets reads know where rows lie, and which on both disks; the compaction has ended well. */
  public void publish() {
    placement.completed(slow.finished());
    placement.completed(hot.finished());
    copies.publish(written(), fast.finished());
  }

  /**
   * Gives back the memory of what {@link #publish} tells; the compaction has ended, well or not.
   */
  public void forget() {
    copies.close();
  }

  private boolean append(SSTableRewriter rewriter, UnfilteredRowIterator partition) {
    SSTableWriter writer = rewriter.currentWriter();
    long before = writer.getFilePointer();
    rowTxn.writes(partition.partitionKey());
    AbstractRowIndexEntry position = rewriter.append(partition);
    if (position != null) {
      placement.written(partition.partitionKey(), Tier.SLOW, writer, before, position);
    }
    return position != null;
  }

  private boolean appendToSlow(UnfilteredRowIterator partition) {
    copies.written(slow.currentWriter().descriptor, partition.partitionKey());
    return append(slow, partition);
  }

  private void openHotWriter(DecoratedKey key) {
    if (!writesHot) {
      hot.switchWriter(writer(key, placement.expectedHotKeys(estimatedTotalKeys)));
      writesHot = true;
    }
  }

  private SSTableWriter writer(DecoratedKey key, long keys) {
    switchingTo = SlowTarget.SLOW_HOT;
    keyCount = keys;
    try {
      return sstableWriter(currentDirectory, key);
    } finally {
      switchingTo = SlowTarget.SLOW_COLD;
      keyCount = estimatedTotalKeys;
    }
  }

  @Override
  protected SSTableWriter sstableWriter(DataDirectory directory, DecoratedKey nextKey) {
    Descriptor descriptor =
        cfs.newSSTableDescriptor(getDirectories().getLocationForDisk(directory));
    return newWriterBuilder(descriptor)
        .setMetadataCollector(
            new MetadataCollector(txn.originals(), cfs.metadata().comparator)
                .sstableLevel(sstableLevel()))
        .setSerializationHeader(SerializationHeader.make(cfs.metadata(), nonExpiredSSTables))
        .setKeyCount(sstableKeyCount())
        .build(rowTxn, cfs);
  }

  @Override
  protected int sstableLevel() {
    return SSTableTemperature.levelOf(switchingTo);
  }

  @Override
  protected void switchCompactionWriter(DataDirectory directory, DecoratedKey nextKey) {
    currentDirectory = directory;
    slow.switchWriter(sstableWriter(directory, nextKey));
    writesHot = false; // the next hot row opens its SSTable in the same directory
  }

  /** Never the fast disk: where inputs lie says nothing about where slow output belongs. */
  @Override
  public DataDirectory getWriteDirectory(Iterable<SSTableReader> sstables, long estimatedBytes) {
    for (SSTableReader sstable : sstables) {
      if (table.disks().tierOf(sstable.descriptor) == Tier.SLOW) {
        return super.getWriteDirectory(List.of(sstable), estimatedBytes);
      }
    }
    DataDirectory directory = getDirectories().getWriteableLocation(estimatedBytes);
    if (directory == null) {
      throw new RuntimeException(
          "Not enough disk space to store " + FBUtilities.prettyPrintMemory(estimatedBytes));
    }
    return directory;
  }

  @Override
  protected boolean shouldSwitchWriterInCurrentLocation(DecoratedKey key) {
    return false;
  }

  @Override
  protected long sstableKeyCount() {
    return keyCount;
  }

  @Override
  public CompactionAwareWriter setRepairedAt(long repairedAt) {
    throw new UnsupportedOperationException("Cassandra sets it on writers of its own only");
  }

  @Override
  protected void doPrepare() {
    endSharing.run(); // what was copied meanwhile is live before the outputs are
    copies.holdSourcesOfDropped(txn.originals());
    finishFast();
    hot.prepareToCommit();
    slow.prepareToCommit();
    // Before the outputs are live: with them an input that has expired as a whole is gone.
    copies.announce(txn.originals(), written());
    txn.checkpoint(); // the outputs are live from here on, the inputs until the last line
    super.doPrepare();
  }

  private void finishFast() {
    try {
      if (!copiesFailed) {
        fast.finish();
      }
    } catch (FastDiskException e) {
      if (!cache || copiesOnly) {
        throw e;
      }
      goOnWithoutCopies();
    }
  }

  @Override
  protected Throwable doCommit(Throwable accumulate) {
    Throwable failure = hot.commit(accumulate);
    failure = slow.commit(failure);
    failure = super.doCommit(failure);
    if (failure == null) {
      fast.replacesMerged();
    }
    return failure;
  }

  @Override
  protected Throwable doAbort(Throwable accumulate) {
    endSharing.run(); // the marks of the inputs go
    copies.retract();
    fast.close();
    Throwable failure = hot.abort(accumulate);
    failure = slow.abort(failure);
    return super.doAbort(failure);
  }

  @Override
  protected Throwable doPostCleanup(Throwable accumulate) {
    hot.close();
    slow.close();
    fast.close();
    table.copies().endsWriting(this);
    return Throwables.close(super.doPostCleanup(accumulate), List.of(copies::release));
  }

  @Override
  public Collection<SSTableReader> finish() {
    super.finish();
    return written();
  }

  /** The SSTables on either disk, once they are complete. */
  public List<SSTableReader> written() {
    return Stream.of(slow.finished(), hot.finished(), fast.finished())
        .flatMap(List::stream)
        .toList();
  }
}
