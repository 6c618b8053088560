/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.node.StoredScan;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.LogPositions;
import java.util.Iterator;
import java.util.List;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.dht.Range;

/**
 * What engines have of a range, to be validated or streamed. What is in memory is not in it:
 * Cassandra flushes before it validates or streams, and takes what comes later with the next one.
 */
final class EngineRows extends NoRows {
  private final List<StoredTable> stored;
  private final Range<PartitionPosition> range;
  private final long partitionCount;

  EngineRows(
      Memtable memtable, List<StoredTable> stored, PartitionPosition from, PartitionPosition to) {
    super(memtable, from, to);
    this.stored = stored;
    PartitionPosition least = memtable.metadata().partitioner.getMinimumToken().minKeyBound();
    this.range =
        new Range<>(from == null ? least : from, to == null || to.isMinimum() ? least : to);
    this.partitionCount =
        stored.stream().mapToLong(s -> s.countPartitions(memtable.metadata(), range)).sum();
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return LogPositions.LEFT_OVER;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return LogPositions.LEFT_OVER;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return StoredScan.columns(memtable().metadata());
  }

  @Override
  public long partitionCount() {
    return partitionCount;
  }

  @Override
  public Iterator<Partition> iterator() {
    return new PassingPartitions(StoredScan.all(stored, memtable().metadata(), range));
  }
}
