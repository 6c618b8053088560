/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.InputRows;
import java.util.Set;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.lifecycle.ILifecycleTransaction;
import org.apache.cassandra.db.lifecycle.WrappedLifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/**
 * The transaction that new SSTables on slow belong to, to their writers. These ask the key cache of
 * each original for each row, to keep what is cached. Of a table with thousands of small SSTables
 * that takes longer than all else, so they hear of those alone that hold the row. Used by one
 * thread.
 */
final class RowTransaction extends WrappedLifecycleTransaction {
  private final InputRows rows;
  private DecoratedKey key;

  RowTransaction(ILifecycleTransaction delegate, InputRows rows) {
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
