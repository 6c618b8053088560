/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.memtable.EngineMemtable;
import io.kasane.engine.memtable.SwitchedMemtables;
import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.LeftOvers;
import io.kasane.engine.sstables.LocalSyncs;
import io.kasane.engine.sstables.SnapshotCopies;
import io.kasane.engine.sstables.Truncations;
import io.kasane.host.internals.NodetoolCommands;
import io.kasane.host.memtable.MemtableReclaim;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background threads of this node's engines. Each engine has a thread that moves SSTables in
 * and drains tables that were altered to another engine. One more thread checks all engines and
 * never waits for one.
 */
public final class MigrationService {
  private static final Logger logger = LoggerFactory.getLogger(MigrationService.class);

  /** As long as a read may take before its engine is out. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** So that a table moves in within a minute or so once what was wrong is mended. */
  private static final long MAX_PAUSE_SECONDS = 60;

  private final NodeEngines engines;
  private final Truncations truncations;
  private final SnapshotCopies copies;
  private final MoveIn moveIn;
  private final MoveOut drain;
  private final LeftOvers leftOvers;
  private final SwitchedMemtables switchedOut;
  private final CommitLogHorizon logAge = new CommitLogHorizon();
  private final CommitLogFiles logFiles = new CommitLogFiles(logAge);
  private final DroppedTables droppedTables;
  private final Purge purge;
  private final Set<NodeEngine> busy = ConcurrentHashMap.newKeySet();
  private final Map<StoredTable, Pause> pauses = new ConcurrentHashMap<>();
  private boolean hearsOperators;

  /** A table whose rows could not be moved is tried ever more rarely. */
  private record Pause(long seconds, long untilNanos) {}

  /**
   * Moves rows.
   *
   * @param orphanPause how long the schema does not know a table before it counts as dropped
   * @param purgePause between two walks over a table in search of what can be purged, at least
   */
  public MigrationService(
      NodeEngines engines,
      Truncations truncations,
      SnapshotCopies copies,
      LeftOvers leftOvers,
      SwitchedMemtables switchedOut,
      Duration orphanPause,
      Duration purgePause) {
    this.engines = engines;
    this.truncations = truncations;
    this.copies = copies;
    this.leftOvers = leftOvers;
    this.switchedOut = switchedOut;
    this.moveIn = new MoveIn(copies);
    this.drain = new MoveOut(engines, leftOvers);
    this.droppedTables = new DroppedTables(engines, orphanPause.toNanos());
    this.purge = new Purge(engines, logAge, purgePause.toNanos());
  }

  /** Starts the threads. */
  public void start() {
    Schema.instance.registerListener(droppedTables);
    ScheduledExecutorService each =
        Executors.newSingleThreadScheduledExecutor(run -> daemon(run, "kasane-engines"));
    ScheduledFuture<?> unused = each.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }

  private void look() {
    try {
      engines.look();
      freeMemtables();
      copies.forgetGone();
      logFiles.look();
      if (!StorageService.instance.isInitialized()) {
        return;
      }
      hearOperators();
      leftOvers.sweep();
      LocalSyncs.look();
      for (NodeEngine engine : engines.engines()) {
        if (engine.writes().isClosed() && busy.add(engine)) {
          engine.threads().execute(() -> work(engine));
        }
      }
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn("Looking after the storage engines failed; it is tried again", e);
    }
  }

  /** Else a read that hangs would keep their memory, of all tables, and writes would stop. */
  private void freeMemtables() {
    for (NodeEngine engine : engines.engines()) {
      if (engine.gate().hangs()) {
        switchedOut.free();
        MemtableReclaim.spread(engine.threads());
      }
    }
  }

  /** Only then is there Cassandra's bean to be replaced. */
  private void hearOperators() {
    if (!hearsOperators) {
      hearsOperators = true;
      NodetoolCommands.listen(new OperatorCommands(engines, copies));
    }
  }

  /** All that an engine's thread does in one round. */
  void work(NodeEngine engine) {
    try {
      droppedTables.run(engine);
      for (StoredTable stored : engines.tables()) {
        if (stored.engine() == engine && mayTry(stored)) {
          work(stored);
        }
      }
    } finally {
      busy.remove(engine);
    }
  }

  private boolean mayTry(StoredTable stored) {
    Pause pause = pauses.get(stored);
    return pause == null || System.nanoTime() - pause.untilNanos >= 0;
  }

  private void work(StoredTable stored) {
    try {
      Optional<ColumnFamilyStore> table = TableStores.of(stored);
      if (table.isPresent() && !isDone(table.get(), stored)) {
        pause(stored);
        return;
      }
      if (table.isEmpty()) {
        dropIndex(stored);
      }
      pauses.remove(stored);
    } catch (RuntimeException | Error e) {
      JVMStabilityInspector.inspectThrowable(e);
      logger.warn(
          "Moving rows of {} and {} failed; tried again in {} s",
          stored.name(),
          stored.engine().name(),
          pause(stored),
          e);
    }
  }

  /** Returns for how many seconds. */
  private long pause(StoredTable stored) {
    Pause last = pauses.get(stored);
    long seconds = last == null ? 1 : Math.min(MAX_PAUSE_SECONDS, 2 * last.seconds);
    pauses.put(stored, new Pause(seconds, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds)));
    return seconds;
  }

  private boolean isDone(ColumnFamilyStore table, StoredTable stored) {
    truncations.follow(table);
    stored.look();
    if (stored.engine().name().equals(EngineMemtable.engineOf(table.metadata()))) {
      if (!isRead(table, stored)) {
        return false;
      }
      moveIn.dropCopies(table, stored); // a build that failed left one
      buildIndexes(table, stored);
      moveIn.run(table, stored);
      purge.run(table, stored, () -> !MoveIn.waiting(table, copies).isEmpty());
      return true;
    }
    return !engines.isMarked(stored) || drain.run(table, stored);
  }

  /**
   * Whether reads look into the engine, and the ledger knows that it has rows. A memtable may be
   * from before the schema said so: Cassandra does not switch it when a view is dropped.
   */
  private static boolean isRead(ColumnFamilyStore table, StoredTable stored) {
    Memtable current = table.getTracker().getView().getCurrentMemtable();
    if (current instanceof EngineMemtable own && own.writesTo(stored)) {
      return true;
    }
    FBUtilities.waitOnFuture(table.switchMemtableIfCurrent(current, FlushReason.INTERNALLY_FORCED));
    return false;
  }

  /** What is left of an index whose base is there. */
  private static void dropIndex(StoredTable stored) {
    TableMetadata base = Schema.instance.getTableMetadata(stored.id());
    if (base != null && !stored.isOfAnIndexOf(base)) {
      stored.closeAll();
      if (stored.mayHaveRows()) {
        stored.alone(MAX_WAIT, () -> stored.clear(MAX_WAIT));
        logger.info("Dropped {} from {}", stored.name(), stored.engine().name());
      }
    }
  }

  /** Cassandra builds from SSTables only. */
  private void buildIndexes(ColumnFamilyStore table, StoredTable stored) {
    if (!table.isIndex()
        && engines.ledger().wantsIndexBuild(stored.id().asUUID())
        && !IndexBuilds.areRunning(table)) {
      IndexBuilds.repeatFailed(table); // they get what is written from now on
      // Rows of before may be on their way here yet.
      table.forceBlockingFlush(FlushReason.INTERNALLY_FORCED);
      if (stored.mayHaveRows() && !table.metadata().indexes.isEmpty()) {
        copies.makeForIndexes(table, stored);
        logger.info("Built the indexes of {} from {}", table, stored.engine().name());
      }
      engines.ledger().forgetIndexBuild(stored.id().asUUID());
    }
  }
}
