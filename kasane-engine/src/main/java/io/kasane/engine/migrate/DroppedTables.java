/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.migrate;

import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.node.NodeEngines;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the rows of dropped tables from engines. A drop is recorded when Cassandra reports it. If
 * a crash came first, it is found by a comparison of engines, ledger and schema.
 */
final class DroppedTables implements SchemaChangeListener {
  private static final Logger logger = LoggerFactory.getLogger(DroppedTables.class);

  /** As long as a read may take before its engine is out. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** Nobody waits for the bytes of a dropped table, and a look asks the engine for all names. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final NodeEngines engines;
  private final long orphanNanos;
  private final Map<NodeEngine, Long> nextNanos = new ConcurrentHashMap<>();

  /** Since when the schema has not known a table. */
  private final Map<TableId, Long> unknownNanos = new ConcurrentHashMap<>();

  /**
   * Removes tables.
   *
   * @param orphanNanos how long the schema must not know a table that nobody was told of
   */
  DroppedTables(NodeEngines engines, long orphanNanos) {
    this.engines = engines;
    this.orphanNanos = orphanNanos;
  }

  /** A schema change must not fail for this. */
  @Override
  public void onDropTable(TableMetadata table, boolean dropData) {
    if (dropData) {
      try {
        engines.dropped(table.id);
      } catch (RuntimeException e) {
        logger.error(
            "{} was dropped, which cannot be remembered now; its rows leave the engines later: {}",
            table,
            e.toString());
      }
    }
  }

  /** Removes what an engine has of such tables, every few seconds; whatever is left comes later. */
  void run(NodeEngine engine) {
    long now = System.nanoTime();
    if (now - nextNanos.getOrDefault(engine, now) < 0) {
      return;
    }
    nextNanos.put(engine, now + PAUSE_NANOS);
    try {
      findOrphans(engine, now);
      for (String table : engines.removeDropped(engine, MAX_WAIT)) {
        logger.info("Removed {}, which was dropped, from {}", table, engine.name());
      }
      engines.forgetDropped(DroppedTables::isKnown);
    } catch (RuntimeException e) {
      logger.warn("Dropped tables are still in {}; tried again: {}", engine.name(), e.toString());
    }
  }

  /** A schema without any table of users' says nothing: it may be about to be read. */
  private void findOrphans(NodeEngine engine, long now) {
    boolean hasTables =
        Schema.instance.getUserKeyspaces().stream()
            .map(Schema.instance::getKeyspaceMetadata)
            .anyMatch(keyspace -> keyspace != null && keyspace.tables.size() > 0);
    if (!hasTables) {
      unknownNanos.clear();
      return;
    }
    unknownNanos.keySet().removeIf(DroppedTables::isKnown);
    for (TableId id : engines.unknown(engine, DroppedTables::isKnown)) {
      Long since = unknownNanos.putIfAbsent(id, now);
      if (since != null && now - since >= orphanNanos) {
        logger.info("{} has rows of a table {} that the schema does not know", engine.name(), id);
        engines.dropped(id);
        unknownNanos.remove(id);
      }
    }
  }

  private static boolean isKnown(TableId id) {
    return Schema.instance.getTableMetadata(id) != null;
  }
}
