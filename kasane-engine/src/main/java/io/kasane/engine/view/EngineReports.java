/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.migrate.TableStores;
import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.node.NodeEngines;
import io.kasane.engine.node.StoredTable;
import io.kasane.engine.sstables.SnapshotCopies;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.schema.TableId;

/** Reads how this node's engines stand, from memory: no call waits for an engine. */
final class EngineReports {
  private final NodeEngines engines;
  private final SnapshotCopies copies;
  private final Map<NodeEngine, SizeCache<StoredTable>> known = new ConcurrentHashMap<>();

  EngineReports(NodeEngines engines, SnapshotCopies copies) {
    this.engines = engines;
    this.copies = copies;
    engines.engines().forEach(engine -> known.put(engine, new SizeCache<>()));
  }

  /** Asks each engine that answers for its sizes, on a thread of its own. */
  void ask() {
    for (NodeEngine engine : engines.engines()) {
      if (engine.isOpen() && engine.reads().isClosed()) {
        Set<StoredTable> tables =
            engines.tables().stream()
                .filter(stored -> stored.engine() == engine)
                .collect(Collectors.toSet());
        known
            .get(engine)
            .ask(engine.threads(), () -> engine.open().usage(), tables, StoredTable::size);
      }
    }
  }

  List<EngineReport> engines() {
    return engines.engines().stream()
        .map(engine -> new EngineReport(engine, known.get(engine)))
        .toList();
  }

  /** Tables that use an engine, or of which one may still have rows. */
  List<TableReport> tables() {
    return reports(engines.tables());
  }

  /** The same of one table and its indexes. */
  List<TableReport> tables(TableId id) {
    return reports(engines.of(id));
  }

  private List<TableReport> reports(Collection<StoredTable> tables) {
    return tables.stream()
        .flatMap(this::report)
        .filter(report -> report.isOwn() || engines.isMarked(report.stored()))
        .toList();
  }

  private Stream<TableReport> report(StoredTable stored) {
    return TableStores.of(stored).stream()
        .map(table -> new TableReport(table, stored, known.get(stored.engine()), copies));
  }
}
