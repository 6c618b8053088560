/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.memtable.EngineMemtable;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.EngineExport;
import io.kasane.engine.sstables.LeftOvers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a table's rows out of an engine that is not the table's any more: all into SSTables, then
 * out of the engine, then the ledger's mark goes. Whatever comes between, it begins again: rows
 * that are in both only merge.
 */
final class MoveOut {
  private static final Logger logger = LoggerFactory.getLogger(MoveOut.class);

  /** As long as a read may take before its engine is out. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private final NodeEngines engines;
  private final LeftOvers leftOvers;

  MoveOut(NodeEngines engines, LeftOvers leftOvers) {
    this.engines = engines;
    this.leftOvers = leftOvers;
  }

  /**
   * Drains a table, unless it was altered back or Cassandra asks to stop.
   *
   * @return whether it is done with; not while the ledger still has its mark
   */
  boolean run(ColumnFamilyStore table, StoredTable stored) {
    // No flush of before the ALTER is on its way into the engine after this.
    table.forceBlockingFlush(FlushReason.INTERNALLY_FORCED);
    if (isBack(table, stored)) {
      return true;
    }
    if (stored.mayHaveRows()) {
      if (!ViewBuilds.areDone(table)) {
        return false;
      }
      try (RunningMove running = RunningMove.begin(table, OperationType.COMPACTION)) {
        stored.alone(MAX_WAIT, () -> moveOut(table, stored, running));
      }
    }
    return !stored.mayHaveRows() && !leftOvers.hasSome(stored.id()) && isClosed(table, stored);
  }

  private static boolean isBack(ColumnFamilyStore table, StoredTable stored) {
    return stored.engine().name().equals(EngineMemtable.engineOf(table.metadata()));
  }

  /** Nothing comes in between reading and clearing: the table is held alone. */
  private void moveOut(ColumnFamilyStore table, StoredTable stored, RunningMove running) {
    AtomicBoolean isIndexed = new AtomicBoolean();
    EngineExport copy =
        new EngineExport(
            table,
            written -> {
              isIndexed.set(needsIndexing(table));
              if (isIndexed.get()) {
                EngineExport.addAndIndex(table, written);
              } else {
                EngineExport.add(table, written);
              }
            });
    int sstables =
        copy.write(List.of(stored), () -> running.isStopRequested() || isBack(table, stored))
            .size();
    if (running.isStopRequested() || isBack(table, stored) || !ViewBuilds.areDone(table)) {
      return;
    }
    if (sstables > 0 && needsIndexing(table) && !isIndexed.get()) {
      return; // an index was made meanwhile, from SSTables of before
    }
    ViewBuilds.again(table);
    if (!ReadBarrier.awaitGone(table, running::isStopRequested)) {
      return;
    }
    stored.clear(MAX_WAIT);
    logger.info("Drained {} out of {} into {} SSTables", table, stored.engine().name(), sstables);
  }

  /** An index that is a table of its own has these rows, unless it waits to be built. */
  private boolean needsIndexing(ColumnFamilyStore table) {
    return table.metadata().indexes.stream().anyMatch(IndexMetadata::isCustom)
        || engines.ledger().wantsIndexBuild(table.metadata.id.asUUID());
  }

  private boolean isClosed(ColumnFamilyStore table, StoredTable stored) {
    if (!engines.clearMark(stored.id(), stored.engine())) {
      return false; // a memtable of before the ALTER is not discarded yet, or an index has rows
    }
    Memtable current = table.getTracker().getView().getCurrentMemtable();
    if (current instanceof EngineMemtable) {
      FBUtilities.waitOnFuture(
          table.switchMemtableIfCurrent(current, FlushReason.INTERNALLY_FORCED));
    }
    UUID id = stored.id().asUUID();
    if (engines.ledger().wantsIndexBuild(id) && engines.ledger().enginesOf(id).isEmpty()) {
      ColumnFamilyStore base = ColumnFamilyStore.getIfExists(stored.id()); // of an index, if it is
      if (base != null) {
        if (IndexBuilds.areRunning(base)) {
          return false;
        }
        IndexBuilds.repeatFailed(base);
      }
      engines.ledger().forgetIndexBuild(id); // all is in SSTables, from which Cassandra builds
    }
    return true;
  }
}
