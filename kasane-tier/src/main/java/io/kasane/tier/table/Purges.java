/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.pick.Candidate;
import io.kasane.tier.pick.PurgeCandidate;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.config.CassandraRelevantProperties;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.EstimatedHistogram;

/** What SSTables say of their tombstones. */
public final class Purges {
  private Purges() {}

  public static PurgeCandidate<SSTableReader, DecoratedKey> candidate(
      ColumnFamilyStore cfs, Candidate<SSTableReader> candidate, boolean idle, long gcBefore) {
    SSTableReader sstable = candidate.table();
    return new PurgeCandidate<>(
        candidate,
        idle,
        droppableCells(cfs, sstable, gcBefore),
        cells(sstable),
        sstable.getMinTimestamp(),
        sstable.getMaxTimestamp(),
        sstable.getFirst(),
        sstable.getLast());
  }

  /**
   * A compaction drops what died before {@code gcBefore}; the histogram counts that second, too.
   * What died in it would count as something that a purge could not drop.
   */
  private static double droppableCells(
      ColumnFamilyStore cfs, SSTableReader sstable, long gcBefore) {
    boolean never =
        CassandraRelevantProperties.NEVER_PURGE_TOMBSTONES.getBoolean()
            || cfs.getNeverPurgeTombstones();
    boolean notYet =
        cfs.getCompactionStrategyManager().onlyPurgeRepairedTombstones() && !sstable.isRepaired();
    return never || notYet ? 0 : sstable.getDroppableTombstonesBefore(gcBefore - 1);
  }

  /** As stock reckons them. A histogram that has overflowed knows no mean: too many to purge. */
  private static double cells(SSTableReader sstable) {
    EstimatedHistogram perPartition = sstable.getEstimatedCellPerPartitionCount();
    return perPartition.isOverflowed()
        ? Double.MAX_VALUE
        : (double) perPartition.mean() * perPartition.count();
  }

  /** Takes note of what a purge left on fast; it has ended well. */
  static void noteLeft(
      TieredTable table,
      Collection<SSTableReader> inputs,
      Collection<SSTableReader> outputs,
      long gcBefore) {
    Set<Integer> shards = new HashSet<>();
    for (SSTableReader input : inputs) {
      if (table.disks().tierOf(input.descriptor) == Tier.FAST) {
        shards.add(shardOf(table, input));
      }
    }
    Map<Integer, Double> left = new HashMap<>();
    for (SSTableReader output : outputs) {
      if (table.disks().tierOf(output.descriptor) == Tier.FAST) {
        double cells = droppableCells(table.cfs(), output, gcBefore);
        left.merge(shardOf(table, output), cells, Double::sum);
      }
    }
    table.purges().purged(shards, left);
  }

  private static int shardOf(TieredTable table, SSTableReader sstable) {
    return table.room().shards().of(sstable.getFirst().getToken());
  }
}
