/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.AbstractCompactionTask;
import org.apache.cassandra.db.compaction.ActiveCompactionsTracker;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.compaction.writers.CompactionAwareWriter;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compaction that an operator asked for, of SSTables of which some are being copied or compacted:
 * waits for that, as a major compaction does. Without a task Cassandra would answer nodetool with a
 * NullPointerException, which is rare where SSTables are only compacted, but not where rows are
 * copied out of them every few seconds.
 */
public final class AwaitingTask extends AbstractCompactionTask {
  private static final Logger logger = LoggerFactory.getLogger(AwaitingTask.class);

  /** As long as Cassandra waits for compactions to end. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long PAUSE_MILLIS = 10; // short beside what is waited for

  private final Collection<SSTableReader> wanted;
  private final Function<LifecycleTransaction, AbstractCompactionTask> task;

  /**
   * A task.
   *
   * @param wanted the SSTables
   * @param task compacts those of a transaction
   */
  public AwaitingTask(
      ColumnFamilyStore cfs,
      Collection<SSTableReader> wanted,
      Function<LifecycleTransaction, AbstractCompactionTask> task) {
    super(cfs, cfs.getTracker().tryModify(List.of(), OperationType.COMPACTION));
    this.wanted = wanted;
    this.task = task;
  }

  @Override
  protected int executeInternal(ActiveCompactionsTracker active) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < PATIENCE_NANOS
        && cfs.getLiveSSTables().containsAll(wanted)) {
      try (LifecycleTransaction txn = hold()) {
        if (txn != null) {
          return task.apply(txn).execute(active);
        }
      }
      Uninterruptibles.sleepUninterruptibly(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    logger.warn(
        "Did not compact {} as asked: some are gone or being compacted. See nodetool"
            + " compactionstats, and ask again with those that are there.",
        wanted);
    return 0;
  }

  /** Not while a truncation decides what to leave out: see {@code CopyTask}. */
  private LifecycleTransaction hold() {
    synchronized (cfs) {
      return cfs.getTracker().tryModify(wanted, OperationType.COMPACTION);
    }
  }

  @Override
  public CompactionAwareWriter getCompactionAwareWriter(
      ColumnFamilyStore cfs,
      Directories directories,
      LifecycleTransaction txn,
      Set<SSTableReader> nonExpired) {
    throw new UnsupportedOperationException("the task that is waited for writes");
  }

  @Override
  protected void runMayThrow() {
    throw new UnsupportedOperationException("call execute");
  }
}
