/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import com.google.common.collect.Iterators;
import java.util.Iterator;
import org.apache.cassandra.db.RegularAndStaticColumns;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.Partition;
import org.apache.cassandra.db.rows.EncodingStats;

/** What the memtable has in memory, for an ordinary SSTable. */
final class MemoryFlushSet extends EmptyFlushSet {
  private final Memtable.FlushablePartitionSet<?> set;

  MemoryFlushSet(Memtable memtable, Memtable.FlushablePartitionSet<?> set) {
    super(memtable, set.from(), set.to());
    this.set = set;
  }

  @Override
  public RegularAndStaticColumns columns() {
    return set.columns();
  }

  @Override
  public EncodingStats encodingStats() {
    return set.encodingStats();
  }

  @Override
  public long partitionCount() {
    return set.partitionCount();
  }

  @Override
  public long partitionKeysSize() {
    return set.partitionKeysSize();
  }

  @Override
  public long dataSize() {
    return set.dataSize();
  }

  @Override
  public Iterator<Partition> iterator() {
    return Iterators.transform(set.iterator(), partition -> partition);
  }
}
