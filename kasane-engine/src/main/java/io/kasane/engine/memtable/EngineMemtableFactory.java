/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.TrieMemtable;
import org.apache.cassandra.metrics.TableMetrics;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the memtables of all tables whose {@code memtable} has one name.
 *
 * @param engine behind them; null for Cassandra's own SSTables. A table that has rows in an engine
 *     nevertheless keeps seeing them, until they are drained
 * @param isThrough whether each write goes into the engine at once: for experiments
 */
record EngineMemtableFactory(String engine, boolean isThrough) implements Memtable.Factory {
  private static final Logger logger = LoggerFactory.getLogger(EngineMemtableFactory.class);
  private static final Memtable.Factory TRIE = TrieMemtable.factory(new HashMap<>());

  private static volatile EngineMemtableContext node;

  /** Says where memtables find engines; before tables are opened. */
  static void use(EngineMemtableContext context) {
    node = context;
  }

  @Override
  public Memtable create(
      AtomicReference<CommitLogPosition> lowerBound, TableMetadataRef ref, Memtable.Owner owner) {
    EngineMemtableContext context = node;
    if (context == null || SchemaConstants.isSystemKeyspace(ref.keyspace)) {
      return new DelegatingMemtable(TRIE, lowerBound, ref, owner);
    }
    if (owner instanceof ColumnFamilyStore cfs && cfs.getTracker() == null) {
      opening(context, cfs);
    }
    TableMetadata table = ref.get();
    if (engine != null && !table.isIndex()) {
      KeyColumns.warn(table, engine);
    }
    String own = EngineMemtable.engineOf(table);
    NodeEngines.Writable target = own == null ? null : target(context.engines(), own, table);
    List<StoredTable> elsewhere = context.engines().elsewhere(table, target == null ? null : own);
    if (target == null && elsewhere.isEmpty()) {
      return new DelegatingMemtable(TRIE, lowerBound, ref, owner);
    }
    return new EngineMemtable(TRIE, target, isThrough, elsewhere, context, lowerBound, ref, owner);
  }

  /** Before anybody reads the table. */
  private static void opening(EngineMemtableContext context, ColumnFamilyStore table) {
    context.leftOvers().sweepUnopened(table);
    if (!table.isIndex()) {
      context.engines().opening(table.metadata.id, !StorageService.instance.isInitialized());
    }
  }

  /** An engine gets no rows that the ledger does not know of; SSTables do then. */
  private static NodeEngines.Writable target(
      NodeEngines engines, String engine, TableMetadata table) {
    try {
      return engines.writable(engine, table);
    } catch (UncheckedIOException e) {
      logger.error(
          "Rows of {} go to SSTables until the next flush, not to {}: {}",
          table,
          engine,
          e.toString());
      return null;
    }
  }

  @Override
  public boolean streamFromMemtable() {
    return true;
  }

  @Override
  public TableMetrics.ReleasableMetric createMemtableMetrics(TableMetadataRef table) {
    return TRIE.createMemtableMetrics(table);
  }
}
