/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.ledger.EngineLedger;
import io.kasane.engine.rows.RowStore;
import io.kasane.engine.rows.RowsSnapshot;
import io.kasane.engine.spi.Engine;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineTable;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.EmptyIterators;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.exceptions.QueryCancelledException;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;

/**
 * What one engine has of one of this node's tables, or of an index of one. Thread-safe: reads do
 * not wait, changes wait for one another.
 */
public final class StoredTable {
  private static final int MAX_TRIES = 10; // each is one more drop meanwhile: so many are a fault
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1); // nobody notices

  private final NodeEngine engine;
  private final TableId id;
  private final TableName tableName;
  private final String name;
  private final ReentrantLock writer = new ReentrantLock();

  /** Read by who copies rows to where a truncate would not find them; written by a truncate. */
  private final ReentrantReadWriteLock copying = new ReentrantReadWriteLock();

  private final Set<EngineLedger.Use> uses = ConcurrentHashMap.newKeySet();
  private final AtomicInteger flushes = new AtomicInteger();

  /** Memtables that were switched out, and may not be in the engine yet. */
  private final AtomicInteger switchedOut = new AtomicInteger();

  private final AtomicLong failures = new AtomicLong();
  private volatile RowStore rows;
  private volatile long estimatedPartitions;

  /** Whether to look in the engine at all: is true before the first row comes. */
  private volatile boolean mayHaveRows;

  /** Whether all is being dropped, or was, and the disk may not know yet: reads need not look. */
  private volatile boolean isDropped;

  /** Whether nothing comes into it any more. */
  private volatile boolean isRemoved;

  /** Whether rows have come, or it was looked at, since the node started. */
  private boolean isKnown;

  StoredTable(NodeEngine engine, TableName name, boolean mayHaveRows) {
    this.engine = engine;
    this.id = TableId.fromUUID(name.table());
    this.tableName = name;
    this.name = name.toString();
    this.mayHaveRows = mayHaveRows;
  }

  public NodeEngine engine() {
    return engine;
  }

  /** Of the table, or of an index's base. */
  public TableId id() {
    return id;
  }

  /** Returns what it is called in the engine. */
  public String name() {
    return name;
  }

  void opened(EngineLedger.Use use) {
    uses.add(use);
  }

  void closed(EngineLedger.Use use) {
    if (uses.remove(use)) {
      use.close();
    }
  }

  /** Nothing more is written: the last memtable of an index that was dropped never ends. */
  public void closeAll() {
    uses.forEach(this::closed);
  }

  /** Whether it is of an index, and not of the table itself. */
  public boolean isOfIndex() {
    return !tableName.index().isEmpty();
  }

  /** Whether it is of this very table or index. */
  public boolean isOf(TableMetadata table) {
    return id.equals(table.id) && tableName.index().equals(table.indexName().orElse(""));
  }

  /** Whether it is of the table itself, or of one of its indexes. */
  public boolean isOfAnIndexOf(TableMetadata base) {
    return !isOfIndex()
        || base.indexes.stream().anyMatch(index -> tableName.index().equals(index.name));
  }

  /** A memtable with rows for it was switched out. */
  public void flushBegins() {
    switchedOut.incrementAndGet();
  }

  /** The rows of such a memtable are here, or elsewhere. */
  public void flushEnded() {
    switchedOut.decrementAndGet();
  }

  /** Whether rows may be on their way here. */
  public boolean isFlushedInto() {
    return switchedOut.get() > 0;
  }

  /** Whether there may be rows; never waits for the engine. */
  public boolean mayHaveRows() {
    return mayHaveRows;
  }

  /** Returns how often reading or writing failed since the node started. */
  public long failures() {
    return failures.get();
  }

  /** Returns about how much it holds. */
  public EngineTable.Size size() {
    return mayHaveRows && !isDropped // to ask for a table makes it
        ? engine.open().table(name).size()
        : new EngineTable.Size(0, 0);
  }

  /**
   * Reads slices of a partition, if the engine's gate lets it; null if there is nothing. To be
   * closed.
   */
  public UnfilteredRowIterator read(
      TableMetadata metadata,
      DecoratedKey key,
      Slices slices,
      ColumnFilter columns,
      boolean reversed) {
    if (!mayHaveRows) {
      return null;
    }
    ReadCommand command = ReadCommand.getCommand();
    GatedRead<UnfilteredRowIterator> read =
        (store, open) -> store.read(metadata, key, slices, columns, reversed, open);
    return WriteOrderReads.areKeptBy(command, metadata)
        ? OffloadedRows.read(
            engine.threads(),
            engine.longestCall(),
            engine.gate().enter(),
            (pass, isWanted) -> gated(pass, command, isWanted, read, () -> null))
        : gated(engine.gate().enter(), command, () -> {}, read, () -> null);
  }

  /** Reads the partitions of a range, if the engine's gate lets it. To be closed. */
  public UnfilteredPartitionIterator scan(
      TableMetadata metadata, ColumnFilter columns, DataRange range) {
    return gated(
        engine.gate().enter(),
        ReadCommand.getCommand(),
        () -> {},
        (store, open) -> store.scan(metadata, columns, range, table -> open.apply(table).take()),
        () -> EmptyIterators.unfilteredPartition(metadata));
  }

  private interface GatedRead<T> {
    T of(RowStore store, Function<EngineTable, GatedSnapshot> open);
  }

  private <T> T gated(
      ReadBulkhead.Pass pass,
      ReadCommand command,
      Runnable isWanted,
      GatedRead<T> read,
      Supplier<T> nothing) {
    try {
      return retried(
          () -> {
            RowStore store = pass.call(this::rows); // to open a table is a call, too
            return read.of(store, table -> new GatedSnapshot(table, pass, command, isWanted));
          },
          () -> {
            pass.close();
            return nothing.get();
          });
    } catch (RuntimeException | Error e) {
      pass.close();
      if (!(e instanceof QueryCancelledException)) { // by Cassandra, not by the engine
        failures.incrementAndGet();
      }
      throw e;
    }
  }

  /**
   * Reads the partitions of a range for as long as it takes: on a thread that may hang. To be
   * closed.
   */
  public UnfilteredPartitionIterator scanAll(TableMetadata metadata, DataRange range) {
    return retried(
        () -> rows().scan(metadata, ColumnFilter.all(metadata), range),
        () -> EmptyIterators.unfilteredPartition(metadata));
  }

  /**
   * Looks at the rows as they are now, for as long as it takes: on a thread that may hang. Empty if
   * there are none. To be closed.
   */
  public Optional<RowsSnapshot> view(TableMetadata metadata) {
    return mayHaveRows
        ? retried(() -> Optional.of(rows().view(metadata)), Optional::empty)
        : Optional.empty();
  }

  /** Counts all partitions, by a walk over all keys; see {@link RowsSnapshot#countPartitions}. */
  public long countPartitions(TableMetadata metadata, BooleanSupplier isCancelled) {
    PartitionPosition least = metadata.partitioner.getMinimumToken().minKeyBound();
    Optional<RowsSnapshot> view = view(metadata);
    try (RowsSnapshot rows = view.orElse(null)) {
      return rows == null ? 0 : rows.countPartitions(new Range<>(least, least), isCancelled);
    }
  }

  /** What a truncate or a drain dropped meanwhile is read as what it has become: empty. */
  private <T> T retried(Supplier<T> read, Supplier<T> nothing) {
    for (int left = MAX_TRIES - 1; ; left--) {
      try {
        return (isDropped ? nothing : read).get();
      } catch (EngineException e) {
        if (e.kind() != Kind.CLOSED || left == 0) {
          throw e;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private RowStore rows() {
    RowStore known = rows;
    if (known != null) {
      return known;
    }
    synchronized (this) {
      if (rows == null) {
        rows = new RowStore(engine.open().table(name));
      }
      return rows;
    }
  }

  /** Counts the first partitions of a range; see {@link RowStore#sample}. */
  public RowStore.PartitionSample sample(
      TableMetadata metadata, AbstractBounds<PartitionPosition> range, int most) {
    RowStore.PartitionSample none = new RowStore.PartitionSample(0, null);
    return mayHaveRows ? retried(() -> rows().sample(metadata, range, most), () -> none) : none;
  }

  /** Remembers about how many partitions there are. */
  public void estimated(long partitions) {
    estimatedPartitions = partitions;
  }

  /** Returns about how many partitions there are, as last estimated; waits for nothing. */
  public long estimatedPartitions() {
    return mayHaveRows ? estimatedPartitions : 0;
  }

  /**
   * Merges a flush's partitions in and syncs: what else changes the table gives way.
   *
   * @param isCancelled asked before each partition; the rest is left then
   * @param onProgress called often, while the engine answers
   * @return whether all is in the engine, as durable as it makes it
   */
  public boolean flush(
      TableMetadata metadata,
      Iterator<? extends UnfilteredRowIterator> partitions,
      BooleanSupplier isCancelled,
      Runnable onProgress) {
    flushes.incrementAndGet();
    try {
      boolean isMerged = merge(metadata, partitions, isCancelled, onProgress);
      if (isMerged) {
        sync();
      }
      return isMerged;
    } finally {
      flushes.decrementAndGet();
    }
  }

  /**
   * Merges partitions in, as many as there are until it is cancelled; gives way to flushes between
   * two. To be synced.
   */
  public boolean move(
      TableMetadata metadata,
      Iterator<? extends UnfilteredRowIterator> partitions,
      BooleanSupplier isCancelled) {
    BooleanSupplier pauses = () -> flushes.get() > 0 || isCancelled.getAsBoolean();
    while (!merge(metadata, partitions, pauses, () -> {})) {
      if (isCancelled.getAsBoolean()) {
        return false;
      }
      while (flushes.get() > 0 && !isCancelled.getAsBoolean()) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
    return true;
  }

  private boolean merge(
      TableMetadata metadata,
      Iterator<? extends UnfilteredRowIterator> partitions,
      BooleanSupplier isCancelled,
      Runnable onProgress) {
    writer.lock();
    try {
      if (isRemoved || isCancelled.getAsBoolean()) {
        return false; // a truncate may have come between
      }
      RowStore store = rows(); // reads must not look for a table that there is no room for
      mayHaveRows = true;
      isDropped = false;
      isKnown = true;
      return store.merge(metadata, partitions, isCancelled, onProgress);
    } catch (RuntimeException | Error e) {
      failures.incrementAndGet();
      throw e;
    } finally {
      writer.unlock();
    }
  }

  /** What a walk that changes the table does between two flushes. */
  public interface Step {
    RowStore.Progress run(RowStore rows, BooleanSupplier pauses);
  }

  /**
   * Runs a step while nothing else changes the table; it gives way to flushes.
   *
   * @param mostNanos how long flushes may have to wait for it
   */
  public RowStore.Progress step(long mostNanos, Step step) {
    writer.lock();
    try {
      long began = System.nanoTime();
      return step.run(rows(), () -> flushes.get() > 0 || System.nanoTime() - began > mostNanos);
    } finally {
      writer.unlock();
    }
  }

  /** Waits until all that was merged is as durable as the engine makes it. */
  public void sync() {
    engine.open().sync();
  }

  /** Finds out whether there are rows, once, when the engine is open. */
  public void look() {
    if (!writer.tryLock()) {
      return;
    }
    try {
      if (!isKnown) {
        mayHaveRows = engine.open().tables().contains(name) && !rows().isEmpty();
        isKnown = true;
      }
    } finally {
      writer.unlock();
    }
  }

  /**
   * Runs while nothing else changes the table.
   *
   * @throws EngineException if what changes it does not end within {@code most}
   */
  public void alone(Duration most, Runnable run) {
    TimedLock.lock(writer, most, name + " is still being written to in " + engine.name());
    try {
      run.run();
    } finally {
      writer.unlock();
    }
  }

  /** Whether what {@link #copy} runs may have read rows as they were before. */
  public boolean isBeingCopied() {
    return copying.getReadLockCount() > 0;
  }

  /** Runs what makes SSTables of the rows: no truncate comes between its reading and its end. */
  public void copy(Runnable run) {
    copying.readLock().lock();
    try {
      run.run();
    } finally {
      copying.readLock().unlock();
    }
  }

  /**
   * Runs while nobody makes SSTables of the rows.
   *
   * @throws EngineException if somebody does for longer than {@code most}
   */
  public void withoutCopies(Duration most, Runnable run) {
    TimedLock.lock(
        copying.writeLock(), most, name + " is still being copied for a snapshot or an index");
    try {
      run.run();
    } finally {
      copying.writeLock().unlock();
    }
  }

  /**
   * Drops all rows, and returns when that is durable. Only within {@link #alone}.
   *
   * @throws EngineException if somebody copies rows for longer than {@code most}
   */
  public void clear(Duration most) {
    withoutCopies(most, this::clearUncopied);
  }

  /** The same, for good: a flush that is on its way finds it closed. */
  public void remove(Duration most) {
    clear(most);
    isRemoved = true;
    closeAll(); // Cassandra never ends the last memtable of a dropped table
  }

  /** The same as {@link #clear}, while nobody can copy rows. */
  public void clearUncopied() {
    if (!writer.isHeldByCurrentThread()) {
      throw new IllegalStateException("others may write to " + name);
    }
    Engine open = engine.open();
    isDropped = true; // to drop takes time, in which reads would find it closed
    try {
      if (open.tables().contains(name)) {
        open.table(name).drop();
      }
    } catch (RuntimeException | Error e) {
      isDropped = false;
      throw e;
    }
    isKnown = true;
    synchronized (this) {
      rows = null;
    }
    open.sync(); // also if one of before failed: after a crash the rows would be back
    mayHaveRows = false;
  }
}
