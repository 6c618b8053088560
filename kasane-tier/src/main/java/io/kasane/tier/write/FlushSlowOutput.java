/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.sstables.SlowTarget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.AbstractRowIndexEntry;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.utils.Throwables;

/** The SSTables that a flush writes to slow, in its own transaction. Used by one thread. */
final class FlushSlowOutput {
  private final ColumnFamilyStore cfs;
  private final PlacementRun placement;
  private final SplitFlushWriter.SlowWriters writers;
  private final Consumer<SSTableWriter> untrack;
  private final long keyCount;
  private final File directory;
  private final SSTableWriter cold;
  private final List<SSTableWriter> all = new ArrayList<>();
  private SSTableWriter hot; // null until the first row
  private boolean openResult;

  /**
   * One SSTable is begun, that of cold rows.
   *
   * @param untrack makes the flush's transaction forget a writer
   */
  FlushSlowOutput(
      ColumnFamilyStore cfs,
      PlacementRun placement,
      Descriptor descriptor,
      long keyCount,
      SplitFlushWriter.SlowWriters writers,
      Consumer<SSTableWriter> untrack) {
    this.cfs = cfs;
    this.placement = placement;
    this.writers = writers;
    this.untrack = untrack;
    this.keyCount = keyCount;
    this.directory = descriptor.directory;
    this.cold = writers.make(descriptor, keyCount, SlowTarget.SLOW_COLD);
    all.add(cold);
  }

  void writeCold(UnfilteredRowIterator partition) {
    write(cold, partition);
  }

  /** A row that belongs on fast and found no room there. */
  void writeWithoutRoom(UnfilteredRowIterator partition) {
    if (placement.withoutRoom() == SlowTarget.SLOW_COLD) {
      write(cold, partition);
      return;
    }
    if (hot == null) {
      hot = begin(placement.expectedHotKeys(keyCount), SlowTarget.SLOW_HOT);
    }
    write(hot, partition);
  }

  /** One more SSTable, for rows that come out of the order of the others. */
  SSTableWriter beginApart(long keys, SlowTarget target) {
    SSTableWriter apart = begin(keys, target);
    apart.setOpenResult(openResult);
    return apart;
  }

  private SSTableWriter begin(long keys, SlowTarget target) {
    SSTableWriter writer = writers.make(cfs.newSSTableDescriptor(directory), keys, target);
    all.add(writer);
    return writer;
  }

  void write(SSTableWriter writer, UnfilteredRowIterator partition) {
    long before = writer.getFilePointer();
    AbstractRowIndexEntry position = writer.append(partition);
    if (position != null) {
      placement.written(partition.partitionKey(), Tier.SLOW, writer, before, position);
    }
  }

  boolean isEmpty() {
    return all.stream().noneMatch(writer -> writer.getFilePointer() > 0);
  }

  /** SSTables that are left empty are taken out of the flush. */
  void prepareToCommit() {
    all.removeIf(
        writer -> {
          if (writer.getFilePointer() > 0) {
            return false;
          }
          untrack.accept(writer);
          Throwables.maybeFail(writer.abort(null));
          return true;
        });
    all.forEach(SSTableWriter::prepareToCommit);
  }

  Throwable commit(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      failure = writer.commit(failure);
    }
    return failure;
  }

  Throwable abort(Throwable accumulate) {
    Throwable failure = accumulate;
    for (SSTableWriter writer : all) {
      untrack.accept(writer);
      failure = writer.abort(failure);
    }
    return failure;
  }

  Collection<SSTableReader> finished() {
    List<SSTableReader> live = all.stream().map(SSTableWriter::finished).toList();
    placement.completed(live);
    return live;
  }

  void setOpenResult(boolean open) {
    openResult = open;
    all.forEach(writer -> writer.setOpenResult(open));
  }

  String filename() {
    return cold.getFilename();
  }

  long uncompressedBytes() {
    return all.stream().mapToLong(SSTableWriter::getFilePointer).sum();
  }

  long onDiskBytes() {
    return all.stream().mapToLong(SSTableWriter::getEstimatedOnDiskBytesWritten).sum();
  }

  void close() {
    all.forEach(SSTableWriter::close);
  }
}
