/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.node.StoredTable;
import io.kasane.engine.rows.RowStore.PartitionSample;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.Pair;

/**
 * The number and mean size of partitions in each token range of a table, for {@code
 * system.size_estimates} and {@code system.table_estimates}. Clients such as the Spark connector
 * use these to split a table among many readers. Cassandra counts SSTables alone, every five
 * minutes. For one thread.
 */
final class SizeEstimates {
  /** Partitions are spread evenly by their tokens: so many tell how dense within a tenth. */
  private static final int MAX_COUNTED = 128;

  private final ColumnFamilyStore table;
  private final StoredTable stored;
  private final long bytes;

  /**
   * Estimates of one table.
   *
   * @param bytes about how much the engine has
   */
  SizeEstimates(ColumnFamilyStore table, StoredTable stored, long bytes) {
    this.table = table;
    this.stored = stored;
    this.bytes = bytes;
  }

  /** Asks the engine, and writes what Cassandra would. */
  void write() {
    String keyspace = table.getKeyspaceName();
    Map<Range<Token>, Long> all =
        counted(StorageService.instance.getLocalReplicas(keyspace).ranges());
    long partitions = sum(all);
    stored.estimated(partitions);
    long meanBytes = meanBytes(partitions);
    Collection<Range<Token>> primary = StorageService.instance.getPrimaryRanges(keyspace);
    Collection<Range<Token>> local = StorageService.instance.getLocalPrimaryRange();
    Map<Range<Token>, Pair<Long, Long>> ofPrimary = estimates(primary, meanBytes);
    SystemKeyspace.updateSizeEstimates(keyspace, table.getTableName(), ofPrimary);
    SystemKeyspace.updateTableEstimates(
        keyspace, table.getTableName(), SystemKeyspace.TABLE_ESTIMATES_TYPE_PRIMARY, ofPrimary);
    SystemKeyspace.updateTableEstimates(
        keyspace,
        table.getTableName(),
        SystemKeyspace.TABLE_ESTIMATES_TYPE_LOCAL_PRIMARY,
        estimates(local, meanBytes));
  }

  private Map<Range<Token>, Pair<Long, Long>> estimates(
      Collection<Range<Token>> ranges, long meanBytes) {
    Map<Range<Token>, Pair<Long, Long>> estimates = new HashMap<>();
    counted(ranges).forEach((range, count) -> estimates.put(range, Pair.create(count, meanBytes)));
    return estimates;
  }

  private Map<Range<Token>, Long> counted(Collection<Range<Token>> ranges) {
    Map<Range<Token>, Long> counted = new HashMap<>();
    for (Range<Token> each : ranges) {
      for (Range<Token> range : each.unwrap()) {
        counted.put(range, inEngine(range) + inSSTables(range));
      }
    }
    return counted;
  }

  private long inEngine(Range<Token> range) {
    PartitionSample sample =
        stored.sample(table.metadata(), Range.makeRowRange(range), MAX_COUNTED);
    if (sample.last() == null) {
      return sample.partitions();
    }
    double seen = range.left.size(sample.last().getToken());
    double whole = range.left.size(range.right);
    return seen <= 0 ? sample.partitions() : Math.round(sample.partitions() * whole / seen);
  }

  private long inSSTables(Range<Token> range) {
    long count = 0;
    for (SSTableReader sstable : table.getSSTables(SSTableSet.LIVE)) {
      count += sstable.estimatedKeysForRanges(List.of(range));
    }
    return count;
  }

  private long meanBytes(long partitions) {
    long all = bytes;
    for (SSTableReader sstable : table.getSSTables(SSTableSet.LIVE)) {
      all += sstable.uncompressedLength();
    }
    return partitions == 0 ? 0 : all / partitions;
  }

  private static long sum(Map<Range<Token>, Long> counted) {
    return counted.values().stream().mapToLong(Long::longValue).sum();
  }
}
