/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.Collection;
import java.util.List;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.utils.Interval;
import org.apache.cassandra.utils.IntervalTree;

/**
 * Whether at least one SSTable of a set holds a row. It is asked in the order of the rows, several
 * times for each row. Used by one thread.
 */
public final class RowMembership {
  private final IntervalTree<
          PartitionPosition, SSTableReader, Interval<PartitionPosition, SSTableReader>>
      byRange;
  private DecoratedKey last;
  private boolean isLastHeld;

  public RowMembership(Collection<SSTableReader> sstables) {
    this.byRange = IntervalTree.build(sstables.stream().map(RowMembership::range).toList());
  }

  private static Interval<PartitionPosition, SSTableReader> range(SSTableReader sstable) {
    return Interval.create(sstable.getFirst(), sstable.getLast(), sstable);
  }

  /** Exact: a bloom filter's mistake would move a row that should stay. */
  public boolean contain(DecoratedKey row) {
    if (!row.equals(last)) {
      isLastHeld = isIn(byRange.search(row), row);
      last = row;
    }
    return isLastHeld;
  }

  private static boolean isIn(List<SSTableReader> sstables, DecoratedKey row) {
    for (SSTableReader sstable : sstables) {
      if (sstable.mayContainAssumingKeyIsInRange(row)
          && sstable.getPosition(row, SSTableReader.Operator.EQ, false) >= 0) {
        return true;
      }
    }
    return false;
  }
}
