/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.sstables.UnclaimedPosition;
import java.util.Collections;
import java.util.Iterator;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;

/**
 * What a flush writes when the engine has taken everything: Cassandra aborts the writer of nothing,
 * and adds no SSTable.
 */
class EmptyFlushSet implements Memtable.FlushablePartitionSet<Partition> {
  /** About a short key: it is asked for an estimate of a file that is not written. */
  private static final int KEY_BYTES = 16;

  private final Memtable memtable;
  private final PartitionPosition from;
  private final PartitionPosition to;

  EmptyFlushSet(Memtable memtable, PartitionPosition from, PartitionPosition to) {
    this.memtable = memtable;
    this.from = from;
    this.to = to;
  }

  @Override
  public Memtable memtable() {
    return memtable;
  }

  @Override
  public PartitionPosition from() {
    return from;
  }

  @Override
  public PartitionPosition to() {
    return to;
  }

  @Override
  public CommitLogPosition commitLogLowerBound() {
    return UnclaimedPosition.UNCLAIMED;
  }

  @Override
  public CommitLogPosition commitLogUpperBound() {
    return UnclaimedPosition.UNCLAIMED;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return memtable.metadata().regularAndStaticColumns();
  }

  @Override
  public EncodingStats encodingStats() {
    return EncodingStats.NO_STATS;
  }

  @Override
  public long partitionCount() {
    return 0;
  }

  @Override
  public long partitionKeysSize() {
    return partitionCount() * KEY_BYTES;
  }

  @Override
  public long dataSize() {
    return partitionKeysSize();
  }

  @Override
  public Iterator<Partition> iterator() {
    return Collections.emptyIterator();
  }
}
