/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import com.google.common.base.Suppliers;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.rows.RowStore.Progress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionPurger;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes tombstones out of engines, by walks over whole tables now and then. One may go when
 *
 * <ul>
 *   <li>its table's gc_grace_seconds are over, as in any table;
 *   <li>no SSTable and no memtable that may have its partition has anything as old; no other engine
 *       has anything of its table, and no copy is being written: that would be back;
 *   <li>what was written before its gc_grace_seconds were over is out of the commit log: a replay
 *       would bring it back. What is written later Cassandra does not promise to keep deleted.
 * </ul>
 */
final class Purge {
  private static final Logger logger = LoggerFactory.getLogger(Purge.class);

  /** Flushes of the table wait for a step: too short to be noticed. */
  private static final long MAX_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A walk takes one part in so many of a thread's time. */
  private static final int REST = 20;

  private final NodeEngines engines;
  private final CommitLogHorizon log;
  private final long pauseNanos;
  private final Map<StoredTable, Long> nextNanos = new ConcurrentHashMap<>();
  private final Set<TableId> warned = ConcurrentHashMap.newKeySet();

  /**
   * Purges.
   *
   * @param pauseNanos between two walks over a table, at least
   */
  Purge(NodeEngines engines, CommitLogHorizon log, long pauseNanos) {
    this.engines = engines;
    this.log = log;
    this.pauseNanos = pauseNanos;
  }

  /** Walks over a table, if it is time to. */
  void run(ColumnFamilyStore table, StoredTable stored, BooleanSupplier ends) {
    long began = System.nanoTime();
    Long next = nextNanos.putIfAbsent(stored, began + pauseNanos);
    if (next == null || began - next < 0 || !stored.mayHaveRows() || !mayPurge(table)) {
      return;
    }
    long changes = 0;
    Progress at = new Progress(null, 0);
    do {
      byte[] from = at.next();
      // What may go is found anew in each step: SSTables come, and memtables.
      at =
          stored.step(
              MAX_STEP_NANOS,
              (rows, pauses) ->
                  stored.isBeingCopied()
                      ? new Progress(null, 0)
                      : rows.purge(
                          table.metadata(),
                          from,
                          purgers(table, stored),
                          FBUtilities.nowInSeconds(),
                          pauses));
      changes += at.changes();
    } while (at.next() != null && !ends.getAsBoolean());
    long now = System.nanoTime();
    nextNanos.put(stored, now + Math.max(pauseNanos, REST * (now - began)));
    if (changes > 0) {
      logger.info("Purged {} entries of {} in {}", changes, table, stored.engine().name());
    }
  }

  private boolean mayPurge(ColumnFamilyStore table) {
    if (table.getCompactionStrategyManager().onlyPurgeRepairedTombstones()) {
      warn(table);
      return false;
    }
    return !table.getNeverPurgeTombstones();
  }

  private void warn(ColumnFamilyStore table) {
    if (!table.isIndex() && warned.add(table.metadata.id)) {
      logger.warn(
          "{} keeps all of its tombstones: it has only_purge_repaired_tombstones, and storage engines"
              + " do not know what was repaired",
          table.metadata());
    }
  }

  /**
   * What may go, of each partition. Partitions are looked for elsewhere only where it is not the
   * whole table that has nothing as old there.
   */
  private Function<DecoratedKey, DeletionPurger> purgers(
      ColumnFamilyStore table, StoredTable stored) {
    ColumnFamilyStore base = ColumnFamilyStore.getIfExists(stored.id());
    boolean isInOtherEngines =
        engines.of(stored.id()).stream()
            .anyMatch(
                other ->
                    other != stored && other.name().equals(stored.name()) && other.mayHaveRows());
    if (base == null || isInOtherEngines) {
      return key -> (timestamp, localDeletionTime) -> false;
    }
    long now = FBUtilities.nowInSeconds();
    long gcBefore = CompactionManager.getDefaultGcBefore(table, now);
    long graceSeconds = now - gcBefore;
    long outOfLog = TimeUnit.MILLISECONDS.toSeconds(log.goneMillis()) - graceSeconds;
    long before = Math.min(gcBefore, outOfLog);
    OverlapTimestamps elsewhere = new OverlapTimestamps(table, base.readOrdering);
    long least = elsewhere.leastTimestamp();
    return key -> {
      Supplier<Long> leastOfKey = Suppliers.memoize(() -> elsewhere.leastTimestamp(key));
      return (timestamp, localDeletionTime) ->
          localDeletionTime < before && (timestamp < least || timestamp < leastOfKey.get());
    };
  }
}
