/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.node.NodeEngine;
import io.kasane.engine.node.StoredTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the {@linkplain SizeEstimates estimates} of tables on engines whenever Cassandra has
 * written its own over them, on a thread that may hang in an engine.
 */
final class EstimateWriter {
  private static final Logger logger = LoggerFactory.getLogger(EstimateWriter.class);
  private static final String WRITTEN =
      "SELECT writetime(partitions_count) AS micros FROM "
          + SchemaConstants.SYSTEM_KEYSPACE_NAME
          + ".size_estimates WHERE keyspace_name = ? AND table_name = ? LIMIT 1";

  private final EngineReports reports;
  private final Set<NodeEngine> busy = ConcurrentHashMap.newKeySet();
  private final Map<StoredTable, Long> writtenMicros = new ConcurrentHashMap<>();

  EstimateWriter(EngineReports reports) {
    this.reports = reports;
  }

  /** Looks for what Cassandra wrote; waits for no engine. To be called by one thread. */
  void look() {
    List<TableReport> all =
        reports.tables().stream()
            .filter(report -> report.isOwn() && report.index().isEmpty())
            .toList();
    writtenMicros.keySet().retainAll(all.stream().map(TableReport::stored).toList());
    for (TableReport report : all) {
      NodeEngine engine = report.stored().engine();
      if (report.stored().mayHaveRows()
          && engine.reads().isClosed()
          && isDue(report)
          && busy.add(engine)) {
        engine.threads().execute(() -> write(report));
      }
    }
  }

  private boolean isDue(TableReport report) {
    Long written = writtenMicros.get(report.stored());
    if (written == null) {
      return report.size().isPresent();
    }
    TableMetadata table = report.metadata();
    UntypedResultSet rows = QueryProcessor.executeInternal(WRITTEN, table.keyspace, table.name);
    return rows.isEmpty() || rows.one().getLong("micros") > written;
  }

  private void write(TableReport report) {
    StoredTable stored = report.stored();
    try {
      report.estimates().write();
    } catch (RuntimeException e) {
      logger.debug("No size estimates of {}", report.metadata(), e);
    } finally {
      writtenMicros.put(stored, FBUtilities.timestampMicros());
      busy.remove(stored.engine());
    }
  }
}
