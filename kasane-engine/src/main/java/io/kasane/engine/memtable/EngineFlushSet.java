/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.node.StoredScan;
import java.util.Collections;
import java.util.Iterator;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.dht.Range;

/**
 * The rows that engines have of a range, given to Cassandra for a validation or an outgoing stream.
 */
final class EngineFlushSet extends EmptyFlushSet {
  private final StreamSnapshot from;
  private final Range<PartitionPosition> range;
  private final long partitionCount;

  EngineFlushSet(
      Memtable memtable,
      PartitionPosition left,
      PartitionPosition right,
      StreamSnapshot from,
      Range<PartitionPosition> range,
      long partitionCount) {
    super(memtable, left, right);
    this.from = from;
    this.range = range;
    this.partitionCount = partitionCount;
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return from.mark();
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return from.mark();
  }

  /** Cassandra asks the first range, also if it has nothing, what all of them may have. */
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
    return partitionCount == 0 ? Collections.emptyIterator() : from.read(range);
  }
}
