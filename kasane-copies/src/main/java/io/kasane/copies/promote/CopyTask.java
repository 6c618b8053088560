/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.skipindex.SortedTokenSet;
import io.kasane.copies.sstables.RowBounds;
import io.kasane.copies.sstables.SharedInputs;
import io.kasane.copies.sstables.WriterMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;
import org.apache.cassandra.utils.TimeUUID;

/**
 * Writes staged rows to fast, a shard an SSTable, and leaves the slow SSTables as they are.
 *
 * <p>The rows are merged but nothing is purged, and the slow SSTables are marked as compacting from
 * before the first row is written until reads know of the copy: a compaction that dropped a
 * deletion together with what it deletes would else let the copy bring that back. Those that a
 * compaction of Kasane has marked keep its mark, and of a row all that it has is copied ({@link
 * SharedInputs}). The copy claims no more than its sources do: their repair status, their age (for
 * truncation), no part of the commit log.
 *
 * <p>To operators it is a compaction: {@code nodetool compactionstats} shows it, and {@code
 * nodetool stop} and whatever needs the table's SSTables to itself stop it.
 */
final class CopyTask {
  private final CopyContext table;
  private final ColumnFamilyStore cfs;
  private final List<SSTableReader> sources;
  private final TimeUUID operation;
  private final Map<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows;
  private final boolean ofFlush;

  /**
   * A task.
   *
   * @param from slow SSTables, held until reads know of the copy
   * @param rows what some of these hold of each key, in order of the keys
   * @param ofFlush whether they were flushed just now, so that the room of flushes may be used
   */
  CopyTask(
      CopyContext table,
      PinnedSources from,
      Map<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows,
      boolean ofFlush) {
    this.ofFlush = ofFlush;
    this.table = table;
    this.cfs = table.cfs();
    this.sources = from.of(rows);
    this.operation = from.mark().opId();
    this.rows = rows;
  }

  /**
   * What was written.
   *
   * @param keys how many found room
   * @param refused how many found none
   * @param skippable tokens of which {@code copies} hold all rows, by source, but for those that
   *     reads leave out already; to be closed
   */
  record Written(
      int keys,
      int refused,
      Map<Descriptor, SortedTokenSet> skippable,
      Collection<SSTableReader> copies) {}

  List<SSTableReader> sources() {
    return sources;
  }

  /** An upper bound of what the rows take on disk. */
  long bytes() {
    return rows.values().stream().mapToLong(parts -> boundBytes(parts.values())).sum();
  }

  /**
   * Copies.
   *
   * @throws CompactionInterruptedException if it was stopped, or the fast disk failed
   */
  Written run() {
    CopyProgress progress = new CopyProgress(cfs.metadata(), operation, sources, bytes());
    CompactionManager.instance.active.beginCompaction(progress);
    try {
      return write(progress);
    } finally {
      CompactionManager.instance.active.finishCompaction(progress);
    }
  }

  private Written write(CopyProgress progress) {
    int keys = 0;
    int refused = 0;
    try (CopyWriter fast = table.open(sources, ofFlush, claims());
        UniqueTokenRows lone = new UniqueTokenRows(sources)) {
      for (Map.Entry<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> row :
          rows.entrySet()) {
        if (progress.isStopRequested() || !cfs.getCompactionStrategyManager().isActive()) {
          throw new CompactionInterruptedException(progress.getCompactionInfo());
        }
        DecoratedKey key = row.getKey();
        Set<Descriptor> from = row.getValue().keySet();
        Collection<ImmutableBTreePartition> parts = row.getValue().values();
        long boundBytes = boundBytes(parts);
        progress.passed(boundBytes);
        if (!lone.isAlone(key, from)) {
          continue;
        }
        if (!fast.admits(key, boundBytes)) {
          fast.refused();
          refused++;
          continue;
        }
        try (UnfilteredRowIterator merged = merge(parts)) {
          if (fast.append(merged, rows::size)) {
            lone.copied(key, from, source -> table.skippable().contains(source, key));
            keys++;
          }
        }
      }
      fast.finish();
      table.copied(keys);
      return new Written(keys, refused, lone.tokens(), fast.finished());
    }
  }

  private WriterMetadata claims() {
    Set<SSTableReader> all = Set.copyOf(sources);
    return new WriterMetadata(
        false,
        CompactionTask.getMinRepairedAt(all),
        null,
        false,
        CompactionTask.getMaxDataAge(sources),
        SerializationHeader.make(cfs.metadata(), all),
        () -> new MetadataCollector(cfs.metadata().comparator));
  }

  private static UnfilteredRowIterator merge(Collection<ImmutableBTreePartition> parts) {
    List<UnfilteredRowIterator> iterators = new ArrayList<>();
    parts.forEach(part -> iterators.add(part.unfilteredIterator()));
    return UnfilteredRowIterators.merge(iterators);
  }

  private static long boundBytes(Collection<ImmutableBTreePartition> parts) {
    return parts.stream().mapToLong(RowBounds::onDiskBytes).sum();
  }
}
