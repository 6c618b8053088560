/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.promote.CopyWriter;
import io.kasane.copies.sstables.Tier;
import io.kasane.copies.sstables.WriterMetadata;
import io.kasane.tier.quota.FastDiskException;
import io.kasane.tier.quota.QuotaGuard;
import io.kasane.tier.sstables.ChecksumWriteFailure;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableRewriter;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.utils.Throwables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes rows to the fast disk for one flush, compaction or copy, an SSTable a shard, within the
 * quota.
 *
 * <p>They have a transaction of their own, which is over before that of the slow disk ends, so that
 * no file of the slow disk depends on a write to the fast one: Cassandra keeps the log of a
 * transaction on each disk that it writes to, and all of it fails with one of them. A crash in
 * between leaves rows on fast that also lie where they came from, in the commit log or in SSTables,
 * which is no harm. Nothing is opened early.
 *
 * <p>Used by one thread.
 */
public final class FastWriter implements CopyWriter {
  private static final Logger logger = LoggerFactory.getLogger(FastWriter.class);
  private static final long LOOK_EVERY_BYTES = 1 << 20; // to look is to ask for all live SSTables

  private final PlacementContext table;
  private final ColumnFamilyStore cfs;
  private final PlacementRun placement;
  private final QuotaGuard allowance;
  private final WriterMetadata claims;
  private LifecycleTransaction txn; // null until the first row
  private SSTableRewriter rewriter;
  private int shard = -1;
  private long finishedDataBytes;
  private long shardsForBytes;
  private String lastFile; // null until the first row
  private boolean isLive;

  public FastWriter(
      PlacementContext table, PlacementRun placement, boolean ofFlush, WriterMetadata claims) {
    this.table = table;
    this.cfs = table.cfs();
    this.placement = placement;
    this.allowance = new QuotaGuard(cfs, placement.reserve(ofFlush));
    this.claims = claims;
  }

  @Override
  public boolean admits(DecoratedKey key, long boundBytes) {
    return allowance.admits(key, boundBytes);
  }

  @Override
  public void refused() {
    placement.refusedByQuota();
  }

  /**
   * Writes a row that was admitted.
   *
   * @param keysOfShard how many rows the shard is likely to get; sizes its filter, asked once a
   *     shard
   * @return false if there was nothing to write
   * @throws FastDiskException if the disk failed; what was written is to be thrown away
   */
  @Override
  public boolean append(UnfilteredRowIterator partition, LongSupplier keysOfShard) {
    DecoratedKey key = partition.partitionKey();
    try {
      lookForShards();
      switchShard(key, keysOfShard);
      SSTableWriter writer = rewriter.currentWriter();
      long before = writer.getFilePointer();
      AbstractRowIndexEntry position = rewriter.append(partition);
      if (position == null) {
        return false;
      }
      allowance.appended(key);
      placement.written(key, Tier.FAST, writer, before, position);
      return true;
    } catch (RuntimeException | Error e) {
      throw asFailureOfDisk(e);
    }
  }

  /** Much may be written at once to where little lay before. */
  private void lookForShards() {
    long written = dataBytes();
    if (written - shardsForBytes >= LOOK_EVERY_BYTES) {
      shardsForBytes = written;
      table.room().resizeIfGrown(placement.comingToFast(written));
    }
  }

  private long dataBytes() {
    return rewriter == null
        ? 0
        : finishedDataBytes + rewriter.currentWriter().getEstimatedOnDiskBytesWritten();
  }

  private void switchShard(DecoratedKey key, LongSupplier keysOfShard) {
    int next = table.room().shards().of(key.getToken());
    if (next == shard) {
      return;
    }
    finishedDataBytes = dataBytes();
    if (rewriter == null) {
      txn = cfs.getTracker().tryModify(List.of(), OperationType.COMPACTION);
      rewriter =
          SSTableRewriter.constructWithoutEarlyOpening(txn, false, claims.maxDataAgeMillis());
    }
    long keyCount = keysOfShard.getAsLong();
    SSTableWriter writer = writer(keyCount);
    rewriter.switchWriter(writer);
    allowance.opened(writer, keyCount);
    shard = next;
  }

  private SSTableWriter writer(long keyCount) {
    Descriptor descriptor = cfs.newSSTableDescriptor(table.fast().writeDirectory().orElseThrow());
    lastFile = descriptor.fileFor(SSTableFormat.Components.DATA).path();
    List<Index.Group> indexes = List.copyOf(cfs.indexManager.listIndexGroups());
    return descriptor
        .getFormat()
        .getWriterFactory()
        .builder(descriptor)
        .setKeyCount(keyCount)
        .setRepairedAt(claims.repairedAt())
        .setPendingRepair(claims.pendingRepair())
        .setTransientSSTable(claims.isTransient())
        .setTableMetadataRef(cfs.metadata)
        .setMetadataCollector(claims.metadata().get())
        .setSerializationHeader(claims.header())
        .addDefaultComponents(indexes)
        .setSecondaryIndexGroups(indexes)
        .build(txn, cfs);
  }

  /** What reading the rows threw is not the disk's fault, nor that of who wrote here. */
  private RuntimeException asFailureOfDisk(Throwable failure) {
    String path = table.fast().failedWriteIn(failure);
    if (path == null && ChecksumWriteFailure.isIn(failure)) {
      path = lastFile;
    }
    if (path != null) {
      table.fast().failed(path, failure);
      return new FastDiskException(failure);
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  /** What the SSTables take, bytes. */
  public long writtenBytes() {
    return allowance.writtenBytes();
  }

  /** The most that was asked for and granted, bytes. */
  public long askedBytes() {
    return allowance.askedBytes();
  }

  /**
   * Completes the SSTables; they are durable and live from here on.
   *
   * @throws FastDiskException if the disk failed; what was written is to be thrown away
   */
  @Override
  public void finish() {
    if (rewriter == null) {
      return;
    }
    try {
      rewriter.finish();
      isLive = true;
      if (claims.isFlushed()) {
        cfs.getTracker().maybeIncrementallyBackup(rewriter.finished());
      }
      placement.completed(rewriter.finished());
      Throwables.maybeFail(cfs.getTracker().dropSSTablesIfInvalid(null));
      table.fast().succeeded();
    } catch (RuntimeException | Error e) {
      throw asFailureOfDisk(e);
    }
  }

  @Override
  public List<SSTableReader> finished() {
    return isLive ? rewriter.finished() : List.of();
  }

  /** They have taken the place of what they were merged from. */
  public void replacesMerged() {
    allowance.replacesMerged();
  }

  /**
   * Throws away what is not live yet. That the disk fails this, too, is nobody's loss: what is left
   * over goes at the next start.
   */
  @Override
  public void close() {
    if (rewriter != null && !isLive) {
      try {
        rewriter.abort();
      } catch (RuntimeException | Error e) {
        logger.debug("Could not take back what was written to fast", e);
      }
      rewriter = null;
    }
    allowance.close();
  }
}
