/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import java.util.Set;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.compaction.CompactionController;
import org.apache.cassandra.db.compaction.CompactionTask;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;

/** Lets expired SSTables go where rows are not sorted by tier. */
public final class ExpiredTask extends CompactionTask {
  public ExpiredTask(ColumnFamilyStore cfs, LifecycleTransaction txn, long gcBefore) {
    super(cfs, txn, gcBefore);
  }

  @Override
  protected CompactionController getCompactionController(Set<SSTableReader> toCompact) {
    CompactionController controller = super.getCompactionController(toCompact);
    ExpiredWindows.keepExpired(transaction, controller.getFullyExpiredSSTables());
    return controller;
  }
}
