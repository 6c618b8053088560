/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.RowBounds;
import io.kasane.host.memtable.LayeredMemtable;
import io.kasane.tier.quota.QuotaGuard;
import io.kasane.tier.sstables.SlowTarget;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableMultiWriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.Throwables;

/**
 * Writes one memtable as one SSTable of cold rows on slow, one a shard of hot rows on fast, and one
 * of those hot rows that find no room there. Which row goes where is a {@link FlushMethod}'s to
 * say.
 *
 * <p>The flush's transaction knows nothing of fast: what goes there is complete before it begins to
 * end ({@link FastWriter}). It claims no part of the commit log, so that a crash before the flush
 * has ended replays all rows. Used by one thread.
 */
public final class SplitFlushWriter implements SSTableMultiWriter {
  /** Makes an SSTable writer on slow that the flush's transaction tracks. */
  public interface SlowWriters {
    SSTableWriter make(Descriptor descriptor, long keyCount, SlowTarget target);
  }

  private final ColumnFamilyStore cfs;
  private final PlacementContext table;
  private final int flushWriters;
  private final FlushSlowOutput slow;
  private final Optional<FlushFastOutput> fast;
  private final FlushMethod method;

  /**
   * A writer.
   *
   * @param memtable what is flushed, or the part of it that belongs to a slow directory
   * @param header of the memtable
   * @param untrack makes the flush's transaction forget a writer
   */
  public SplitFlushWriter(
      PlacementContext table,
      Memtable memtable,
      SerializationHeader header,
      Descriptor slowDescriptor,
      long keyCount,
      SlowWriters writers,
      Consumer<SSTableWriter> untrack) {
    this.table = table;
    this.cfs = table.cfs();
    this.flushWriters = cfs.getDirectories().getWriteableLocations().length;
    Memtable rows = LayeredMemtable.inMemory(memtable);
    PlacementRun placement = new PlacementRun(table, List.of(), PlacementRun.ColdRows.LEAVE);
    this.slow = new FlushSlowOutput(cfs, placement, slowDescriptor, keyCount, writers, untrack);
    if (!table.fast().exists()) {
      this.fast = Optional.empty();
      this.method = new FlushToSlow(placement, slow);
      return;
    }
    FlushFastOutput toFast =
        new FlushFastOutput(table, rows, header, placement, slow, keyCount, flushWriters);
    FlushByHeat byHeat = new FlushByHeat(placement, slow, toFast);
    OptionalLong bound = RowBounds.ofAll(rows, keyCount, header.stats());
    int indexParts = QuotaGuard.indexParts(cfs.indexManager.listIndexGroups());
    this.fast = Optional.of(toFast);
    this.method =
        bound.isPresent() && placement.bringsAllToFast()
            ? new FlushAllToFast(toFast, byHeat, bound.getAsLong(), indexParts)
            : byHeat;
    table.copies().writesToFastOnly(this);
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    method.append(partition);
  }

  @Override
  public void prepareToCommit() {
    fast.ifPresent(FlushFastOutput::finish);
    slow.prepareToCommit();
  }

  @Override
  public Throwable commit(Throwable accumulate) {
    Throwable failure = slow.commit(accumulate);
    table.room().flushed(flushWriters * method.hotBytes(), method.hasRefusedHot());
    table.copies().endsWriting(this);
    return failure;
  }

  @Override
  public Throwable abort(Throwable accumulate) {
    Throwable failure = slow.abort(accumulate);
    fast.ifPresent(FlushFastOutput::close);
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
    return slow.finished();
  }

  @Override
  public SSTableMultiWriter setOpenResult(boolean openResult) {
    slow.setOpenResult(openResult);
    return this;
  }

  @Override
  public String getFilename() {
    return slow.filename();
  }

  @Override
  public long getBytesWritten() {
    return fastBytes() + slow.uncompressedBytes();
  }

  @Override
  public long getOnDiskBytesWritten() {
    return fastBytes() + slow.onDiskBytes();
  }

  private long fastBytes() {
    return fast.map(FlushFastOutput::writtenBytes).orElse(0L);
  }

  @Override
  public TableId getTableId() {
    return cfs.metadata().id;
  }

  @Override
  public void close() {
    slow.close();
    fast.ifPresent(FlushFastOutput::close);
  }
}
