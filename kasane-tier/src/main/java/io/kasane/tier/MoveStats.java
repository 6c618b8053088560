/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import com.codahale.metrics.Counter;
import io.kasane.host.TableMetrics;

/** Rows and bytes that compaction moved between the tiers since the node started. */
final class MoveStats {
  final Counter promotedRows;
  final Counter promotedBytes;
  final Counter demotedRows;
  final Counter demotedBytes;
  final Counter refusedRows;

  MoveStats(TableMetrics metrics) {
    promotedRows = metrics.counter("PromotedRows");
    promotedBytes = metrics.counter("PromotedBytes");
    demotedRows = metrics.counter("DemotedRows");
    demotedBytes = metrics.counter("DemotedBytes");
    refusedRows = metrics.counter("RowsRefusedByQuota");
  }
}
