/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.host.memtable.LayeredMemtable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Passes all calls to a stock memtable, but tells a flush from a stream. Cassandra asks a factory
 * whether memtables are to be streamed, not a table: one name may have tables with and without an
 * engine, so all are asked, and what has nothing but memory answers that there is nothing.
 * Cassandra has flushed then.
 *
 * <p>It extends Cassandra's class since the memory cleaner and the periodic flush pass over any
 * other. Its own allocator stays empty. Stock memtables cannot be extended: their iterators are
 * private.
 */
class DelegatingMemtable extends AbstractAllocatorMemtable implements LayeredMemtable {
  /** Null when its memory was given back. */
  private volatile Memtable delegate;

  /** Cassandra takes a flush's transaction and then its partitions, on one thread. */
  private volatile Thread flusher;

  DelegatingMemtable(
      Memtable.Factory delegates,
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef table,
      Owner owner) {
    super(lowerBound, table, owner);
    this.delegate = delegates.create(lowerBound, table, new DelegateOwner(owner, this));
  }

  @Override
  public final Memtable inMemory() {
    Memtable memory = delegate;
    if (memory == null) {
      throw new IllegalStateException(
          metadata() + " was flushed long ago, and a memtable of it was still to be read");
    }
    return memory;
  }

  /** Lets go of its rows, after {@link #discard}: who comes later gets an error. */
  final void forgetRows() {
    delegate = null;
  }

  // ---- what is in memory

  @Override
  public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
    return inMemory().put(update, indexer, group);
  }

  @Override
  public long partitionCount() {
    return inMemory().partitionCount();
  }

  @Override
  public long getLiveDataSize() {
    return inMemory().getLiveDataSize();
  }

  @Override
  public long operationCount() {
    return inMemory().operationCount();
  }

  @Override
  public void addMemoryUsageTo(MemoryUsage usage) {
    inMemory().addMemoryUsageTo(usage);
  }

  @Override
  public void markExtraOnHeapUsed(long bytes, OpOrder.Group group) {
    inMemory().markExtraOnHeapUsed(bytes, group);
  }

  @Override
  public void markExtraOffHeapUsed(long bytes, OpOrder.Group group) {
    inMemory().markExtraOffHeapUsed(bytes, group);
  }

  @Override
  public boolean isClean() {
    return inMemory().isClean();
  }

  @Override
  public long getMinTimestamp() {
    return inMemory().getMinTimestamp();
  }

  @Override
  public long getMinLocalDeletionTime() {
    return inMemory().getMinLocalDeletionTime();
  }

  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    return super.shouldSwitch(reason) || inMemory().shouldSwitch(reason);
  }

  // ---- its end

  @Override
  public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
    inMemory().switchOut(barrier, upperBound);
    super.switchOut(barrier, upperBound);
  }

  @Override
  public void discard() {
    super.discard();
    inMemory().discard();
  }

  @Override
  public final LifecycleTransaction setFlushTransaction(LifecycleTransaction transaction) {
    flusher = Thread.currentThread();
    return super.setFlushTransaction(transaction);
  }

  @Override
  public final FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
    return Thread.currentThread().equals(flusher) ? toFlush(from, to) : toStream(from, to);
  }

  /** What a flush is to write. */
  FlushablePartitionSet<?> toFlush(PartitionPosition from, PartitionPosition to) {
    return inMemory().getFlushSet(from, to);
  }

  /** What a stream or a validation is to read besides SSTables, memory flushed. */
  FlushablePartitionSet<?> toStream(PartitionPosition from, PartitionPosition to) {
    return new EmptyFlushSet(this, from, to);
  }

  // ---- reads

  @Override
  public UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      SSTableReadsListener listener) {
    return inMemory().rowIterator(key, slices, columns, reversed, listener);
  }

  @Override
  public UnfilteredRowIterator rowIterator(DecoratedKey key) {
    return inMemory().rowIterator(key);
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter columns, DataRange range, SSTableReadsListener listener) {
    return inMemory().partitionIterator(columns, range, listener);
  }
}
