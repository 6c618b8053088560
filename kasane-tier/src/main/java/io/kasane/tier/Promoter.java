/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.heat.Temperature;
import io.kasane.tier.promote.RedundancyLog;
import io.kasane.tier.promote.RedundantRows;
import io.kasane.tier.promote.RowKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.marshal.VectorType;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.ISSTableScanner;
import org.apache.cassandra.io.sstable.UUIDBasedSSTableId;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.ColumnMetadata;
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
final class Promoter {
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final TableTiers table;
  private final ColumnFamilyStore cfs;
  private final Staging staging;
  private final Queue<Descriptor> flushed = new ConcurrentLinkedQueue<>();
  private final RedundancyLog<Descriptor> log;
  private final RedundantRows<Set<SSTableReader>, Descriptor> redundant;
  private volatile long restUntilNanos = System.nanoTime();
  private volatile boolean isRestored;

  /**
   * A promoter of a table.
   *
   * @param leftOutBytes most memory for what reads may leave out
   * @param log file that keeps that over a restart
   */
  Promoter(TableTiers table, LongSupplier leftOutBytes, Path log) {
    this.table = table;
    this.cfs = table.cfs();
    this.log = new RedundancyLog<>(log, Promoter::nameForEver, System::nanoTime);
    this.redundant =
        new RedundantRows<>(
            leftOutBytes,
            () -> cfs.getTracker().getView().liveSSTables(),
            Promoter::names,
            Optional.of(this.log));
    this.staging = new Staging(table, this::isRedundant);
  }

  /**
   * A name that no other SSTable of the table will ever have. Sequential ids come again after a
   * crash; the digest of what they hold does not.
   */
  private static String nameForEver(Descriptor sstable) {
    if (sstable.id instanceof UUIDBasedSSTableId) {
      return sstable.id.toString();
    }
    File data = sstable.fileFor(SSTableFormat.Components.DATA);
    File digest = sstable.fileFor(SSTableFormat.Components.DIGEST);
    try {
      return sstable.id + "." + data.length() + "." + Files.readString(digest.toPath()).strip();
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  /**
   * What was known before the node was restarted is in force again. Called when the table's
   * SSTables are live, by the thread that writes.
   */
  void restore() {
    if (isRestored) {
      return;
    }
    redundant.restore(this::liveByName);
    isRestored = true;
  }

  private Map<String, Descriptor> liveByName() {
    Map<String, Descriptor> live = new HashMap<>();
    for (SSTableReader sstable : cfs.getLiveSSTables()) {
      String name = nameForEver(sstable.descriptor);
      if (name != null) {
        live.put(name, sstable.descriptor);
      }
    }
    return live;
  }

  /** Whether what is a copy is known by now; before, every SSTable counts as none. */
  boolean isRestored() {
    return isRestored;
  }

  void close() {
    staging.clear();
    log.close();
  }

  private static Set<Descriptor> names(Set<SSTableReader> sstables) {
    return sstables.stream().map(sstable -> sstable.descriptor).collect(Collectors.toSet());
  }

  // Read threads.

  /**
   * Whether rows of this table may be copied. Not where replicas compare what is repaired: an
   * SSTable left out would change the digest. Not with vectors: their index wants each cell from
   * the SSTable that it indexed. Not of a materialized view: truncating its base table does not
   * take the lock that keeps {@link CopyTask} out.
   */
  boolean isOn() {
    return table.fast().exists()
        && table.options().copiesRows()
        && !cfs.isAutoCompactionDisabled()
        && !cfs.metadata().isView()
        && !DatabaseDescriptor.getRepairedDataTrackingForPartitionReadsEnabled()
        && !hasVectors();
  }

  private boolean hasVectors() {
    for (ColumnMetadata column : cfs.metadata().regularAndStaticColumns()) {
      if (column.type instanceof VectorType) {
        return true;
      }
    }
    return false;
  }

  /** A read found {@code key} on slow; nothing happens for a while after {@link #rest}. */
  void offer(DecoratedKey key) {
    if (System.nanoTime() - restUntilNanos >= 0) {
      staging.offer(key);
    }
  }

  boolean isRedundant(Descriptor sstable, DecoratedKey key) {
    return redundant.contains(sstable, KeyIds.of(key), key.getKey());
  }

  /** See {@link RedundantRows#bytes}. */
  long leftOutBytes() {
    return redundant.bytes();
  }

  /** See {@link RedundantRows#isHalfFull}. */
  boolean isHalfFull() {
    return redundant.isHalfFull();
  }

  // Flush threads.

  /** A flush wrote an SSTable to slow of which hot rows are to be copied. */
  void flushed(Descriptor slow) {
    flushed.add(slow);
  }

  // Compaction threads.

  /**
   * See {@link RedundantRows#announce}.
   *
   * @param dropped keys of copies that are in no output
   * @param ofCopies whether all inputs are copies
   */
  void announce(
      Set<SSTableReader> inputs,
      Collection<SSTableReader> outputs,
      List<RowKey> dropped,
      boolean ofCopies) {
    redundant.announce(
        CopyTask.descriptors(inputs), CopyTask.descriptors(outputs), dropped, ofCopies);
  }

  /** See {@link RedundantRows#settled}. */
  void settled(Set<SSTableReader> inputs) {
    redundant.settled(CopyTask.descriptors(inputs));
  }

  /** See {@link RedundantRows#retract}. */
  void retract(Set<SSTableReader> inputs) {
    redundant.retract(CopyTask.descriptors(inputs));
  }

  /** Live slow SSTables hold rows of which live SSTables on fast hold the same, and no others. */
  void copied(Map<Descriptor, List<RowKey>> rows, Collection<Descriptor> copies) {
    redundant.add(rows, copies);
  }

  /** See {@link RedundantRows#copies}. */
  Set<Descriptor> copies() {
    return redundant.copies();
  }

  /** See {@link RedundantRows#sourcesOf}. */
  Optional<Set<Descriptor>> sourcesOf(Collection<Descriptor> copies) {
    return redundant.sourcesOf(copies);
  }

  /** See {@link RedundantRows#inherit}. */
  void inherited(Descriptor slow, Map<Descriptor, List<RowKey>> rows) {
    redundant.inherit(rows, slow);
  }

  // The thread that reads what is wanted.

  /** Reads for at most about a tenth of a second. */
  void stage() {
    staging.step();
  }

  // The thread that writes.

  /** Writes what there is, if it is enough; after a failure reads offer nothing for a while. */
  void copy() {
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
      copyHotRowsOf(slow);
    }
    write(staging.take(), false);
  }

  /** Hot rows were updated: without the updates on fast, reads of them would go to slow. */
  private void copyHotRowsOf(Descriptor slow) {
    SSTableReader sstable = find(slow);
    Ref<SSTableReader> held = sstable == null ? null : sstable.tryRef();
    if (held == null) {
      return;
    }
    StagedRows hot = new StagedRows();
    try (ISSTableScanner partitions = sstable.getScanner()) {
      while (partitions.hasNext()) {
        try (UnfilteredRowIterator partition = partitions.next()) {
          DecoratedKey key = partition.partitionKey();
          if (table.admission().belongsOnFast(key) && !Staging.isTooLarge(key, sstable)) {
            hot.put(key, slow, ImmutableBTreePartition.create(partition));
          }
        }
        if (hot.boundBytes() >= Staging.MOST_BYTES) {
          write(hot, true);
          hot = new StagedRows();
        }
      }
    } finally {
      held.release();
    }
    write(hot, true);
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
  void pause() {
    flushed.clear();
    staging.clear();
  }

  void retain(Set<Descriptor> live) {
    redundant.retain(live, id -> table.hotSet().temperatureOf(id) == Temperature.HOT);
  }

  private void write(StagedRows staged, boolean ofFlush) {
    if (staged.isEmpty()) {
      return;
    }
    View view = cfs.getTracker().getView();
    Map<Boolean, List<SSTableReader>> byRepairStatus = new HashMap<>();
    for (SSTableReader sstable : view.select(SSTableSet.NONCOMPACTING)) {
      if (staged.readsFrom(sstable.descriptor) && staging.isSource(sstable)) {
        byRepairStatus
            .computeIfAbsent(sstable.isRepaired(), repaired -> new ArrayList<>())
            .add(sstable);
      }
    }
    byRepairStatus.values().forEach(sources -> write(staged, sources, ofFlush));
    CompactionManager.instance.submitBackground(cfs); // the copies may be due to be merged
  }

  private void write(StagedRows staged, List<SSTableReader> sources, boolean ofFlush) {
    Set<Descriptor> names = Set.copyOf(CopyTask.descriptors(sources));
    CopyTask.Written written = new CopyTask(table, sources, staged.of(names), ofFlush).run();
    if (written.refused() > written.keys().size()) {
      rest();
    }
    if (!written.copies().isEmpty()) {
      // Reads that began before the copy was live do not look into it.
      cfs.readOrdering.awaitNewBarrier();
      redundant.add(
          CopyTask.bySource(written, names, staged.all()), CopyTask.descriptors(written.copies()));
    }
  }

  /** There is no room on fast, or no disk: to read rows for it would be in vain. */
  private void rest() {
    restUntilNanos = System.nanoTime() + REST_NANOS;
    staging.clear();
  }
}
