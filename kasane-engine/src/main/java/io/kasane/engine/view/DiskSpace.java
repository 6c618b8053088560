/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.node.StoredTable;
import io.kasane.engine.spi.EngineTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.metrics.TableMetrics;

/**
 * Adds what engines take to what Cassandra counts of its SSTables: the space of each table, and the
 * load of the node. For one thread.
 */
final class DiskSpace {
  private final EngineReports reports;
  private final Map<StoredTable, Long> counted = new HashMap<>();

  DiskSpace(EngineReports reports) {
    this.reports = reports;
  }

  /** Counts what came and went since it was called last. */
  void count() {
    Map<StoredTable, TableReport> now = new HashMap<>();
    reports.tables().forEach(report -> now.put(report.stored(), report));
    for (StoredTable gone : new HashSet<>(counted.keySet())) {
      if (!now.containsKey(gone)) {
        StorageMetrics.load.dec(counted.remove(gone));
      }
    }
    now.forEach(
        (stored, report) ->
            report
                .size()
                .map(EngineTable.Size::bytes)
                .ifPresent(
                    bytes -> {
                      long more = bytes - counted.getOrDefault(stored, 0L);
                      counted.put(stored, bytes);
                      StorageMetrics.load.inc(more);
                      TableMetrics metrics = report.metrics();
                      metrics.liveDiskSpaceUsed.inc(more);
                      metrics.totalDiskSpaceUsed.inc(more);
                    }));
  }
}
