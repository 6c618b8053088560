/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import com.google.common.collect.Iterables;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredScan;
import io.kasane.engine.node.StoredTable;
import io.kasane.host.config.EngineSettings;
import io.kasane.host.internals.Callers;
import io.kasane.host.refuse.Refusal;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.apache.cassandra.utils.Throwables;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stock memtable with an engine behind it, in the place of SSTables. Writes go to the commit log
 * and to memory, as ever; a flush moves them into the engine and writes nothing. Reads see both.
 */
public final class EngineMemtable extends DelegatingMemtable {
  private static final Logger logger = LoggerFactory.getLogger(EngineMemtable.class);
  private static final String ENGINE = "engine";
  private static final Callers.Method DROP =
      new Callers.Method(ColumnFamilyStore.class, "onTableDropped");

  /** An experiment's JVM option: the parameter is unknown, and refused as such, without it. */
  private static final String ALLOW_THROUGH = "kasane.engine_through";

  /** Where a flush goes; null if to SSTables. */
  private final NodeEngines.Writable target;

  /** Whether each write goes into the engine at once, and none to memory. */
  private final boolean isThrough;

  /** All engines that may have rows of the table, the target first. */
  private final List<StoredTable> stored;

  private final EngineMemtableContext context;
  private final AtomicBoolean isFreed = new AtomicBoolean();
  private volatile boolean isSwitchedOut;
  private volatile CompletableFuture<?> moving = CompletableFuture.completedFuture(null);

  EngineMemtable(
      Memtable.Factory delegates,
      NodeEngines.Writable target,
      boolean isThrough,
      List<StoredTable> elsewhere,
      EngineMemtableContext context,
      AtomicReference<CommitLogPosition> lowerBound,
      TableMetadataRef table,
      Owner owner) {
    super(delegates, lowerBound, table, owner);
    this.target = target;
    this.isThrough = isThrough && target != null;
    this.context = context;
    this.stored = new ArrayList<>(elsewhere);
    if (target != null) {
      stored.add(0, target.table());
    }
  }

  /**
   * Makes what Cassandra makes memtables with; it calls this by reflection.
   *
   * @param options {@code engine}: which engine; without it rows go to SSTables
   */
  public static Factory factory(Map<String, String> options) {
    String engine = options.remove(ENGINE);
    if (engine != null && !EngineSettings.NAME.matcher(engine).matches()) {
      throw new ConfigurationException(
          Refusal.of(
              "the memtable parameter '" + ENGINE + "'",
              engine,
              "the name of a storage engine, such as lmdb",
              "correct it, or leave it out for SSTables"));
    }
    MemtableNames.check();
    boolean isThrough = Boolean.getBoolean(ALLOW_THROUGH) && options.remove("mode", "through");
    return new EngineMemtableFactory(engine, isThrough);
  }

  /**
   * Which engine a table's flushes go to by its schema; null if to none. An index that is a table
   * of its own goes where its base goes: what it was made with does not change with an ALTER.
   */
  public static String engineOf(TableMetadata table) {
    TableMetadata base = table.isIndex() ? Schema.instance.getTableMetadata(table.id) : table;
    if (base == null || needsSSTables(base)) {
      return null;
    }
    return base.params.memtable.factory() instanceof EngineMemtableFactory factory
        ? factory.engine()
        : null;
  }

  /**
   * Custom indexes lie beside SSTables; Cassandra builds materialized views from SSTables only; and
   * keys must tell rows apart.
   */
  private static boolean needsSSTables(TableMetadata base) {
    KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(base.keyspace);
    return base.isView()
        || base.indexes.stream().anyMatch(IndexMetadata::isCustom)
        || KeyColumns.inexact(base).isPresent()
        || (keyspace != null && keyspace.views.forTable(base.id).iterator().hasNext());
  }

  /** Says where memtables find engines; before tables are opened. */
  public static void use(EngineMemtableContext context) {
    EngineMemtableFactory.use(context);
  }

  /**
   * Whether its flushes go into a table of an engine, which it reads then, and the ledger marks.
   */
  public boolean writesTo(StoredTable table) {
    return target != null && target.table() == table;
  }

  // ---- what is in memory

  /** Write-through skips index updates and blocks on a hung engine: for benchmarks only. */
  @Override
  public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
    if (isThrough) {
      target
          .table()
          .flush(
              metadata(), List.of(update.unfilteredIterator()).iterator(), () -> false, () -> {});
      return Long.MAX_VALUE; // nobody knows how old what it replaces is
    }
    return super.put(update, indexer, group);
  }

  /** With what is in engines, as Cassandra adds what is in SSTables; a table has one such. */
  @Override
  public long partitionCount() {
    long count = super.partitionCount();
    if (!isSwitchedOut) {
      for (StoredTable table : stored) {
        count += table.estimatedPartitions();
      }
    }
    return count;
  }

  /** A table without SSTables and operations counts as empty: nobody would build its indexes. */
  @Override
  public long operationCount() {
    return super.operationCount() + (mayHaveStored() ? 1 : 0);
  }

  // ---- what Cassandra asks before it flushes, validates, streams, purges

  private boolean mayHaveStored() {
    for (StoredTable table : stored) {
      if (table.mayHaveRows()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Validation, streams and snapshots pass over a clean memtable, and index builds: not over the
   * engine's rows, nor those that are on their way there.
   */
  @Override
  public boolean isClean() {
    StreamSnapshot.beginAnew(); // a stream asks this first
    return super.isClean()
        && !mayHaveStored()
        && (target == null || !target.table().isFlushedInto());
  }

  /** No tombstone in an SSTable is purged while the engine may have what it deletes. */
  @Override
  public long getMinTimestamp() {
    return mayHaveStored() ? Long.MIN_VALUE : super.getMinTimestamp();
  }

  @Override
  public long getMinLocalDeletionTime() {
    return mayHaveStored() ? 0 : super.getMinLocalDeletionTime();
  }

  /** Must not throw: the coordinator of an incremental repair would wait for ever. */
  @Override
  public boolean shouldSwitch(ColumnFamilyStore.FlushReason reason) {
    if (reason == ColumnFamilyStore.FlushReason.SNAPSHOT) {
      return false;
    }
    if (reason == ColumnFamilyStore.FlushReason.INDEX_BUILD_STARTED
        && (target != null || mayHaveStored())) {
      wantIndexBuild();
    }
    if (reason == ColumnFamilyStore.FlushReason.ANTICOMPACTION) {
      logger.warn(
          "{} is on a storage engine: incremental repair is right, but compares all of it each time",
          metadata());
    }
    return super.shouldSwitch(reason);
  }

  /** Before Cassandra finds no SSTable, and takes the index for built. */
  private void wantIndexBuild() {
    try {
      context.engines().ledger().wantIndexBuild(metadata().id.asUUID());
    } catch (UncheckedIOException e) {
      logger.error(
          "Indexes of {} will miss rows that are in the engine; drop and make them again: {}",
          metadata(),
          e.toString());
    }
  }

  @Override
  public void performSnapshot(String name) {
    if (Callers.isWithin(DROP)) {
      snapshotBeforeDrop();
    } else {
      flushForSnapshot();
      context.copies().make((ColumnFamilyStore) owner, stored, context.patience());
    }
  }

  private void flushForSnapshot() {
    FBUtilities.waitOnFuture(
        owner.signalFlushRequired(this, ColumnFamilyStore.FlushReason.SNAPSHOT));
  }

  /** The schema has no such table any more: what fails here would leave the drop half done. */
  private void snapshotBeforeDrop() {
    try {
      flushForSnapshot();
      context.copies().make((ColumnFamilyStore) owner, stored, context.patience());
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.error(
          "{} is dropped without a snapshot of what it has in storage engines: {}",
          metadata(),
          e.toString());
    }
  }

  // ---- its end

  @Override
  public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
    context.truncations().follow((ColumnFamilyStore) owner);
    if (target != null) {
      target.table().flushBegins();
    }
    super.switchOut(barrier, upperBound);
    isSwitchedOut = true;
    context.switchedOut().add(this);
  }

  /** A hung engine still reads from the delegate's memory. */
  @Override
  public void discard() {
    CompletableFuture<?> unused = moving.whenComplete((done, failure) -> discarded());
  }

  private void discarded() {
    if (isFreed.compareAndSet(false, true)) {
      super.discard();
    }
    context.switchedOut().remove(this);
    if (target != null) {
      target.table().flushEnded();
      target.close();
    }
  }

  /** Gives its memory back before it is discarded. */
  void free() {
    if (isFreed.compareAndSet(false, true)) {
      super.discard();
      forgetRows();
    }
  }

  /** Whether its rows are elsewhere: reads that begin now do not see it. */
  boolean isReplaced() {
    View view = ((ColumnFamilyStore) owner).getTracker().getView();
    return !Iterables.contains(view.getAllMemtables(), this);
  }

  @Override
  FlushablePartitionSet<?> toFlush(PartitionPosition from, PartitionPosition to) {
    FlushablePartitionSet<?> memory = super.toFlush(from, to);
    if (memory.partitionCount() == 0) {
      return new EmptyFlushSet(this, from, to);
    }
    return isTaken(memory) ? new EmptyFlushSet(this, from, to) : new MemoryFlushSet(this, memory);
  }

  /** Also of a memtable that was flushed meanwhile: a stream may have found it before. */
  @Override
  FlushablePartitionSet<?> toStream(PartitionPosition from, PartitionPosition to) {
    return StreamSnapshot.of((ColumnFamilyStore) owner, stored, context.leftOvers())
        .range(this, from, to);
  }

  /** Whether the engine has what is in memory. */
  private boolean isTaken(FlushablePartitionSet<?> memory) {
    if (target == null
        || ((ColumnFamilyStore) owner).isTableIncrementalBackupsEnabled() // links what is flushed
        || !target.table().engine().name().equals(engineOf(metadata())) // altered away meanwhile
        || !context.engines().isCurrent(target.table())
        || !target.table().engine().writes().isClosed()) {
      return false;
    }
    FlushIntoEngine flush = new FlushIntoEngine(target.table(), metadata(), memory);
    moving = CompletableFuture.allOf(moving, flush.done().exceptionally(failure -> false));
    return flush.run(context.patience());
  }

  // ---- reads

  @Override
  public UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed,
      SSTableReadsListener listener) {
    UnfilteredRowIterator memory = super.rowIterator(key, slices, columns, reversed, listener);
    List<UnfilteredRowIterator> all = null;
    UnfilteredRowIterator only = memory;
    try {
      for (StoredTable table : stored) {
        UnfilteredRowIterator rows = table.read(metadata(), key, slices, columns, reversed);
        if (rows != null && only == null) {
          only = rows;
        } else if (rows != null) {
          all = all == null ? new ArrayList<>(List.of(only)) : all;
          all.add(rows);
        }
      }
    } catch (RuntimeException | Error e) {
      Throwables.close(
          e, all == null ? (only == null ? List.<UnfilteredRowIterator>of() : List.of(only)) : all);
      throw e;
    }
    return all == null ? only : UnfilteredRowIterators.merge(all);
  }

  /**
   * Asked by compactions, for each partition, whether there is something of it; they close nothing.
   * To look would cost a read; to say yes costs tombstones that stay until they are moved in.
   */
  @Override
  public UnfilteredRowIterator rowIterator(DecoratedKey key) {
    UnfilteredRowIterator memory = super.rowIterator(key);
    return memory != null || !mayHaveStored()
        ? memory
        : EmptyIterators.unfilteredRow(metadata(), key, false);
  }

  @Override
  public UnfilteredPartitionIterator partitionIterator(
      ColumnFilter columns, DataRange range, SSTableReadsListener listener) {
    List<UnfilteredPartitionIterator> all = new ArrayList<>();
    all.add(super.partitionIterator(columns, range, listener));
    try {
      for (StoredTable table : stored) {
        if (table.mayHaveRows()) {
          all.add(table.scan(metadata(), columns, range));
        }
      }
    } catch (RuntimeException | Error e) {
      Throwables.close(e, all);
      throw e;
    }
    return StoredScan.merge(all, metadata());
  }
}
