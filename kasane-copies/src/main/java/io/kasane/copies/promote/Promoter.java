/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.control.FlushedHotShare;
import io.kasane.copies.control.ProcessorLoad;
import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.Tier;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.concurrent.Ref;

/**
 * Copies rows that belong on fast out of the slow SSTables soon after a read found them there,
 * while their blocks are in memory, and lets reads leave these SSTables out for exactly these rows.
 * No slow SSTable is rewritten.
 *
 * <p>Reads offer keys from any thread; one thread reads their rows into memory, in short steps;
 * once these have waited long enough, are many or are read from slow again and again, another
 * thread makes SSTables on fast of them.
 */
public final class Promoter {
  /** Merges at like sizes leave some ten. */
  private static final int MAX_SSTABLES_PER_SHARD = 32;

  /** Merges and flushes make room meanwhile. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final CopyContext table;
  private final ColumnFamilyStore cfs;
  private final ProcessorLoad processors;
  private final Staging staging;
  private final Queue<Descriptor> flushed = new ConcurrentLinkedQueue<>();
  private final FlushedHotShare flushedHotShare = new FlushedHotShare();
  private volatile long restUntilNanos = System.nanoTime();

  /** Why rows are copied. */
  private enum Origin {
    /** Reads found them on slow. */
    READ,
    /** They are hot, and a flush updated them: they may use the room of flushes. */
    UPDATED,
    /** They are new, and what is new is read. That there is no room for them says nothing. */
    NEW
  }

  public Promoter(CopyContext table, ProcessorLoad processors) {
    this.table = table;
    this.processors = processors;
    this.cfs = table.cfs();
    this.staging = new Staging(table, table.skippable()::contains);
  }

  public void close() {
    staging.clear();
  }

  // Read threads.

  /** A read found {@code key} on slow; nothing happens for a while after {@link #rest}. */
  public void offer(DecoratedKey key) {
    if (System.nanoTime() - restUntilNanos >= 0) {
      staging.offer(key);
    }
  }

  // Flush threads.

  /** A flush wrote an SSTable to slow of which rows are to be copied. */
  public void flushed(Descriptor slow) {
    flushed.add(slow);
  }

  // Maintenance.

  /** Called about once a second. */
  public void observe() {
    staging.observe(processors.load());
  }

  // The thread that reads what is wanted.

  /** Reads for at most about a tenth of a second. */
  public void stage() {
    staging.step();
  }

  // The thread that writes.

  /** Writes what there is, if it is enough; after a failure reads offer nothing for a while. */
  public void copy() {
    try {
      copyAll();
    } catch (CompactionInterruptedException e) {
      rest(); // an operator stopped it, or the fast disk failed, which was said already
    } catch (RuntimeException | Error e) {
      rest();
      throw e;
    } finally {
      staging.written();
    }
  }

  private void copyAll() {
    for (Descriptor slow = flushed.poll(); slow != null; slow = flushed.poll()) {
      copyFlushed(slow);
    }
    write(staging.take(), Origin.READ);
  }

  /**
   * Hot rows were updated: without the updates on fast, reads of them would go to slow. Rows that
   * nobody has read come along where new ones are read.
   */
  private void copyFlushed(Descriptor slow) {
    SSTableReader sstable = find(slow);
    Ref<SSTableReader> held = sstable == null ? null : sstable.tryRef();
    if (held == null) {
      return;
    }
    StagedRows hot = new StagedRows();
    StagedRows unread = new StagedRows();
    int rows = 0;
    int hotRows = 0;
    try (ISSTableScanner partitions = sstable.getScanner()) {
      while (partitions.hasNext()) {
        try (UnfilteredRowIterator partition = partitions.next()) {
          DecoratedKey key = partition.partitionKey();
          boolean isHot = table.belongsOnFast(key);
          rows++;
          hotRows += isHot ? 1 : 0;
          boolean isWanted = isHot || (flushedHotShare.isMuch() && table.mayCopyUnread(key));
          if (isWanted && !Staging.isTooLarge(key, sstable)) {
            (isHot ? hot : unread).put(key, slow, ImmutableBTreePartition.create(partition));
          }
        }
        hot = writeIfMuch(hot, Origin.UPDATED);
        unread = writeIfMuch(unread, Origin.NEW);
      }
    } finally {
      held.release();
    }
    flushedHotShare.flushed(hotRows, rows);
    write(hot, Origin.UPDATED);
    write(unread, Origin.NEW);
  }

  private StagedRows writeIfMuch(StagedRows staged, Origin origin) {
    if (staged.boundBytes() < Staging.MAX_BYTES) {
      return staged;
    }
    write(staged, origin);
    return new StagedRows();
  }

  private SSTableReader find(Descriptor name) {
    for (SSTableReader sstable : cfs.getLiveSSTables()) {
      if (sstable.descriptor.equals(name)) {
        return sstable;
      }
    }
    return null;
  }

  /** Copying has been switched off. */
  public void pause() {
    flushed.clear();
    staging.clear();
  }

  private void write(StagedRows staged, Origin origin) {
    if (staged.isEmpty()) {
      return;
    }
    if (hasTooManySSTables()) {
      rest();
      return;
    }
    Set<Boolean> status =
        cfs.getLiveSSTables().stream()
            .filter(sstable -> staged.readsFrom(sstable.descriptor))
            .map(SSTableReader::isRepaired)
            .collect(Collectors.toSet());
    for (boolean repaired : status) {
      try (PinnedSources sources = PinnedSources.hold(cfs, staged, repaired, staging::isSource)) {
        write(sources, origin);
      }
    }
    CompactionManager.instance.submitBackground(cfs); // the copies may be due to be merged
  }

  private void write(PinnedSources sources, Origin origin) {
    NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows = sources.rows();
    if (rows.isEmpty()) {
      return;
    }
    CopyTask copy = new CopyTask(table, sources, rows, origin == Origin.UPDATED);
    Runnable ended = table.begins(copy.sources(), copy.bytes());
    try {
      CopyTask.Written written = copy.run();
      if (origin != Origin.NEW && written.refused() > written.keys()) {
        rest();
      }
      if (!written.copies().isEmpty()) {
        // Reads that began before the copy was live do not look into it.
        cfs.readOrdering.awaitNewBarrier();
        table.skippable().copied(written.skippable(), Descriptors.of(written.copies()));
      }
    } finally {
      ended.run();
    }
  }

  /** Nobody merges what is there: each copy would make each read slower. */
  private boolean hasTooManySSTables() {
    long onFast =
        cfs.getLiveSSTables().stream()
            .filter(sstable -> table.disks().tierOf(sstable.descriptor) == Tier.FAST)
            .count();
    return onFast > (long) MAX_SSTABLES_PER_SHARD * table.shards();
  }

  /** There is no room on fast, or no disk: to read rows for it would be in vain. */
  private void rest() {
    restUntilNanos = System.nanoTime() + REST_NANOS;
    staging.clear();
  }
}
