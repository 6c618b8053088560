/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.CompactionPositions;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.ILifecycleTransaction;
import org.apache.cassandra.db.lifecycle.WrappedLifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * A lifecycle transaction that shows a writer only those originals that hold the row being written.
 * Cassandra's writer looks for each row in the key cache of every original. Of a table with
 * thousands of small SSTables that takes longer than all else, so they hear of those alone that
 * hold the row. Used by one thread.
 */
final class RowOriginalsTransaction extends WrappedLifecycleTransaction {
  private final CompactionPositions rows;
  private DecoratedKey key;

  RowOriginalsTransaction(ILifecycleTransaction delegate, CompactionPositions rows) {
    super(delegate);
    this.rows = rows;
  }

  /** What is written next. */
  void writes(DecoratedKey next) {
    key = next;
  }

  @Override
  public Set<SSTableReader> originals() {
    return rows.holding(key);
  }
}
