/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.tier.pick.Pick;
import io.kasane.tier.promote.RowKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.SerializationHeader;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterators;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.SSTableRewriter;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.io.sstable.format.SSTableWriter;
import org.apache.cassandra.io.sstable.metadata.MetadataCollector;

/**
 * Writes staged rows to fast, a shard an SSTable, and leaves the slow SSTables as they are.
 *
 * <p>The rows are merged but nothing is purged, and the slow SSTables are marked as compacting from
 * before the first row is written until the copy is live: a compaction that dropped a deletion
 * together with what it deletes would else let the copy bring that back. The copy claims no more
 * than its sources do: their repair status, their age (for truncation), no part of the commit log.
 */
final class CopyTask {
  private final TableTiers table;
  private final ColumnFamilyStore cfs;
  private final List<SSTableReader> sources;
  private final Map<DecoratedKey, List<ImmutableBTreePartition>> rows;
  private final boolean ofFlush;

  /**
   * A task.
   *
   * @param sources slow SSTables of one repair status
   * @param rows what they hold of each key, in order
   * @param ofFlush whether they were flushed just now, so that the room of flushes may be used
   */
  CopyTask(
      TableTiers table,
      List<SSTableReader> sources,
      Map<DecoratedKey, List<ImmutableBTreePartition>> rows,
      boolean ofFlush) {
    this.ofFlush = ofFlush;
    this.table = table;
    this.cfs = table.cfs();
    this.sources = sources;
    this.rows = rows;
  }

  /**
   * What was written.
   *
   * @param keys those that found room
   * @param refused how many found none
   */
  record Written(Set<DecoratedKey> keys, int refused, Collection<SSTableReader> copies) {}

  /** Copies; nothing if a source is being compacted. */
  Written run() {
    long bytes =
        rows.values().stream().flatMap(List::stream).mapToLong(StagedRows::boundBytes).sum();
    PlacementRun placement =
        new PlacementRun(table, sources, PlacementRun.ColdRows.LEAVE, table.hotSet());
    try (LifecycleTransaction held = hold()) {
      if (held == null) {
        return new Written(Set.of(), 0, List.of());
      }
      RunningTasks.Entry entry = table.tasks().begin(Pick.Kind.COPY, sources.size(), bytes);
      try {
        return write(placement);
      } finally {
        table.tasks().end(entry);
      }
    }
  }

  /**
   * Truncation leaves out SSTables that are being compacted, after it has waited until none is. It
   * holds this lock all the while.
   */
  private LifecycleTransaction hold() {
    synchronized (cfs) {
      return cfs.getTracker().tryModify(sources, OperationType.COMPACTION);
    }
  }

  private Written write(PlacementRun placement) {
    Set<DecoratedKey> written = new HashSet<>();
    try (LifecycleTransaction txn =
            cfs.getTracker().tryModify(List.of(), OperationType.COMPACTION);
        SSTableRewriter rewriter =
            SSTableRewriter.constructWithoutEarlyOpening(
                txn, false, CompactionTask.getMaxDataAge(sources));
        FastAllowance allowance = new FastAllowance(cfs, placement.reserve(ofFlush))) {
      int shard = -1;
      for (Map.Entry<DecoratedKey, List<ImmutableBTreePartition>> row : rows.entrySet()) {
        DecoratedKey key = row.getKey();
        if (!allowance.admits(key, boundBytes(row.getValue()))) {
          placement.refusedByQuota();
          continue;
        }
        if (shard != table.shards().of(key.getToken())) {
          shard = table.shards().of(key.getToken());
          SSTableWriter next = writer(txn);
          rewriter.switchWriter(next);
          allowance.opened(next, rows.size());
        }
        SSTableWriter writer = rewriter.currentWriter();
        long before = writer.getFilePointer();
        try (UnfilteredRowIterator merged = merge(row.getValue())) {
          rewriter.append(merged);
        }
        allowance.appended(key);
        placement.written(key, Tier.FAST, writer, before);
        written.add(key);
      }
      int refused = rows.size() - written.size();
      if (written.isEmpty()) {
        return new Written(Set.of(), refused, List.of());
      }
      List<SSTableReader> copies = rewriter.finish();
      table.moves().copiedRows.inc(written.size());
      return new Written(written, refused, copies);
    }
  }

  private static UnfilteredRowIterator merge(List<ImmutableBTreePartition> parts) {
    List<UnfilteredRowIterator> iterators = new ArrayList<>();
    parts.forEach(part -> iterators.add(part.unfilteredIterator()));
    return UnfilteredRowIterators.merge(iterators);
  }

  private static long boundBytes(List<ImmutableBTreePartition> parts) {
    return parts.stream().mapToLong(StagedRows::boundBytes).sum();
  }

  private SSTableWriter writer(LifecycleTransaction txn) {
    Descriptor descriptor = cfs.newSSTableDescriptor(table.fast().writeDirectory().orElseThrow());
    Collection<Index.Group> indexes = cfs.indexManager.listIndexGroups();
    Set<SSTableReader> all = Set.copyOf(sources);
    return descriptor
        .getFormat()
        .getWriterFactory()
        .builder(descriptor)
        .setKeyCount(rows.size())
        .setRepairedAt(CompactionTask.getMinRepairedAt(all))
        .setPendingRepair(null)
        .setTransientSSTable(false)
        .setTableMetadataRef(cfs.metadata)
        .setMetadataCollector(
            new MetadataCollector(cfs.metadata().comparator)
                .sstableLevel(SSTableTemperature.levelOf(Target.FAST_COPY)))
        .setSerializationHeader(SerializationHeader.make(cfs.metadata(), all))
        .addDefaultComponents(indexes)
        .setSecondaryIndexGroups(indexes)
        .build(txn, cfs);
  }

  /** The keys of {@code written} by the slow SSTable that they were read from. */
  static Map<Descriptor, List<RowKey>> bySource(
      Written written,
      Set<Descriptor> sources,
      Map<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> staged) {
    Map<Descriptor, List<RowKey>> keys = new HashMap<>();
    for (DecoratedKey key : written.keys()) {
      RowKey redundant = new RowKey(KeyIds.of(key), key.getKey());
      staged.get(key).keySet().stream()
          .filter(sources::contains)
          .forEach(sstable -> keys.computeIfAbsent(sstable, s -> new ArrayList<>()).add(redundant));
    }
    return keys;
  }

  static List<Descriptor> descriptors(Collection<SSTableReader> sstables) {
    return sstables.stream().map(sstable -> sstable.descriptor).collect(Collectors.toList());
  }
}
