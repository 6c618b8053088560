/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.node.StoredScan;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineException;
import io.kasane.host.internals.OlderCassandra;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.EncodingStats;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.transform.Transformation;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ActiveRepairService;
import org.apache.cassandra.utils.Throwables;
import org.apache.cassandra.utils.concurrent.Refs;

/** Writes SSTables of all that engines have of a table; the engines keep it. For one thread. */
public final class EngineExport {
  /** Small enough to stream and compact alone, large enough that a table makes few. */
  private static final long MAX_BYTES = 1L << 30;

  /** Any truncate takes it, also one that began before it was written: so it takes the engine. */
  private static final long OLDEST_MILLIS = 0;

  private final ColumnFamilyStore table;
  private final Consumer<Collection<SSTableReader>> add;

  /**
   * A copy.
   *
   * @param add lets the table read what is written; it may be none
   */
  public EngineExport(ColumnFamilyStore table, Consumer<Collection<SSTableReader>> add) {
    this.table = table;
    this.add = add;
  }

  /** Adds SSTables whose rows all indexes have. */
  public static void add(ColumnFamilyStore table, Collection<SSTableReader> written) {
    if (!written.isEmpty()) {
      OlderCassandra.addInitialSSTables(table.getTracker(), written);
    }
  }

  /** Adds SSTables whose rows indexes take for new, and returns when they are built from them. */
  public static void addAndIndex(ColumnFamilyStore table, Collection<SSTableReader> written) {
    // As Cassandra's streams do: a compaction may have replaced them before they are read.
    try (Refs<SSTableReader> unused = Refs.ref(written)) {
      table.addSSTables(written);
    }
  }

  /**
   * Writes all rows, in SSTables of about a gigabyte, and lets the table read them: all or none.
   *
   * @param isCancelled asked at each row and partition; a partition may end it, and nothing is left
   * @return what the table has now; empty if there was no row, or it was cancelled
   * @throws EngineException if the disk has no room, which it is asked for before
   */
  public Collection<SSTableReader> write(List<StoredTable> stored, BooleanSupplier isCancelled) {
    return write(stored, isCancelled, () -> !isCancelled.getAsBoolean());
  }

  /**
   * The same.
   *
   * @param mayFinish asked once, when the engine has answered and nothing is to be read yet
   */
  Collection<SSTableReader> write(
      List<StoredTable> stored, BooleanSupplier isCancelled, BooleanSupplier mayFinish) {
    FreeSpaceCheck.require(table, stored);
    TableMetadata metadata = table.metadata();
    long partitions = partitionsOfOne(stored, isCancelled);
    PartitionPosition least = metadata.partitioner.getMinimumToken().minKeyBound();
    List<SSTableWriter> writers = new ArrayList<>();
    List<SSTableReader> written = new ArrayList<>();
    // Not as a flush: indexes beside SSTables would look for the rows in a memtable.
    try (LifecycleTransaction transaction =
        LifecycleTransaction.offline(OperationType.COMPACTION)) {
      try (UnfilteredPartitionIterator all =
          StoredScan.all(stored, metadata, new Range<>(least, least))) {
        SSTableWriter writer = null;
        while (all.hasNext()) {
          if (isCancelled.getAsBoolean()) {
            abort(writers, transaction, null);
            return List.of();
          }
          try (UnfilteredRowIterator partition = all.next()) {
            if (partition.isEmpty()) {
              continue;
            }
            if (writer == null || writer.getFilePointer() > MAX_BYTES) {
              writer = writer(metadata, partitions, transaction);
              writers.add(writer);
            }
            writer.append(Transformation.apply(partition, new Steps(isCancelled)));
          }
        }
        writers.forEach(
            each -> {
              each.setOpenResult(true);
              each.prepareToCommit();
              boolean unused = isCancelled.getAsBoolean(); // a step, however long it takes
            });
        if (!mayFinish.getAsBoolean()) {
          abort(writers, transaction, null);
          return List.of();
        }
        transaction.prepareToCommit();
      } catch (RuntimeException | Error e) {
        abort(writers, transaction, e);
        throw e;
      }
      Throwable failure = null;
      for (SSTableWriter each : writers) {
        failure = each.commit(failure);
      }
      Throwables.maybeFail(transaction.commit(failure));
      writers.forEach(each -> written.add(each.finished()));
    }
    add.accept(written);
    if (!table.isValid()) {
      table.getTracker().dropSSTables(); // a table that is made with its id would read them
    }
    return written;
  }

  /** Rows are steps, too: a partition may be large. */
  private static final class Steps extends Transformation<UnfilteredRowIterator> {
    private final BooleanSupplier isCancelled;

    Steps(BooleanSupplier isCancelled) {
      this.isCancelled = isCancelled;
    }

    @Override
    protected Row applyToRow(Row row) {
      boolean unused = isCancelled.getAsBoolean();
      return row;
    }
  }

  /** Bloom filters are made for so many: of all partitions that an SSTable of that size has. */
  private long partitionsOfOne(List<StoredTable> stored, BooleanSupplier isCancelled) {
    long partitions = 0;
    long bytes = 0;
    for (StoredTable each : stored) {
      partitions += each.countPartitions(table.metadata(), isCancelled);
      bytes += each.size().bytes();
    }
    double parts = Math.max(1, (double) bytes / MAX_BYTES);
    return Math.max(1, (long) (partitions / parts));
  }

  private static void abort(
      List<SSTableWriter> writers, LifecycleTransaction transaction, Throwable why) {
    Throwable failure = why;
    for (SSTableWriter writer : writers) {
      failure = writer.abort(failure);
    }
    transaction.abort(failure);
  }

  private SSTableWriter writer(
      TableMetadata metadata, long partitions, LifecycleTransaction transaction) {
    Descriptor descriptor =
        table.newSSTableDescriptor(table.getDirectories().getDirectoryForNewSSTables());
    IntervalSet<CommitLogPosition> unclaimed =
        new IntervalSet<>(UnclaimedPosition.UNCLAIMED, UnclaimedPosition.UNCLAIMED);
    Collection<Index.Group> indexes = table.indexManager.listIndexGroups();
    SSTableWriter writer =
        descriptor
            .getFormat()
            .getWriterFactory()
            .builder(descriptor)
            .setKeyCount(partitions)
            .setRepairedAt(ActiveRepairService.UNREPAIRED_SSTABLE)
            .setPendingRepair(ActiveRepairService.NO_PENDING_REPAIR)
            .setTransientSSTable(false)
            .setTableMetadataRef(table.metadata)
            .setMetadataCollector(
                new MetadataCollector(metadata.comparator).commitLogIntervals(unclaimed))
            .setSerializationHeader(
                new SerializationHeader(
                    true, metadata, StoredScan.columns(metadata), EncodingStats.NO_STATS))
            .addDefaultComponents(indexes)
            .setSecondaryIndexGroups(indexes)
            .build(transaction, table);
    writer.setMaxDataAge(OLDEST_MILLIS);
    return writer;
  }
}
