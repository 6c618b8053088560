/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.migrate.PendingMoves;
import io.kasane.engine.spi.EngineUsage;
import io.kasane.host.view.NodeMetrics;
import io.kasane.host.view.TableMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.cassandra.schema.TableId;

/**
 * What of engines and their tables can be read as a metric at any time; docs/operate/monitor.md
 * lists it for users. For one thread.
 */
final class EngineGauges {
  private final EngineReports reports;
  private final Map<TableId, TableMetrics> tables = new HashMap<>();

  EngineGauges(EngineReports reports) {
    this.reports = reports;
  }

  /** Registers those of engines, which the node has for as long as it runs. */
  void registerEngines() {
    for (EngineReport report : reports.engines()) {
      String engine = report.engine().name();
      NodeMetrics.gauge(
          engine, "EngineDiskBytes", () -> report.usage().map(EngineUsage::diskBytes).orElse(0L));
      NodeMetrics.gauge(engine, "EngineOut", () -> report.isOut() ? 1 : 0);
      NodeMetrics.gauge(engine, "EngineFailures", () -> report.outage().failures());
    }
  }

  /** Registers those of tables that came, and takes away those of tables that went. */
  void followTables() {
    Map<TableId, TableReport> now =
        reports.tables().stream()
            .filter(report -> report.isOwn() && report.index().isEmpty())
            .collect(Collectors.toMap(report -> report.stored().id(), Function.identity()));
    tables
        .entrySet()
        .removeIf(
            entry -> {
              boolean isGone = !now.containsKey(entry.getKey());
              if (isGone) {
                entry.getValue().close();
              }
              return isGone;
            });
    now.forEach((id, report) -> tables.computeIfAbsent(id, key -> register(report)));
  }

  private TableMetrics register(TableReport report) {
    TableMetrics metrics = new TableMetrics(report.metadata());
    TableId id = report.stored().id();
    metrics.gauge("WaitingSSTables", () -> waiting(id).sstables());
    metrics.gauge("OldestWaitingSeconds", () -> waiting(id).oldest().toSeconds());
    return metrics;
  }

  /** Of the table and its indexes. */
  private PendingMoves waiting(TableId id) {
    return reports.tables(id).stream()
        .map(TableReport::waiting)
        .reduce(PendingMoves.NONE, PendingMoves::plus);
  }
}
