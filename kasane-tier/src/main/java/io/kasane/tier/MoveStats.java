/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import com.codahale.metrics.Counter;
import io.kasane.host.TableMetrics;

/**
 * Rows and bytes that flushes, compactions and copies moved between the tiers since the node
 * started.
 */
final class MoveStats {
  final Counter promotedRows;
  final Counter promotedBytes;
  final Counter copiedRows;
  final Counter demotedRows;
  final Counter demotedBytes;
  final Counter refusedRows;

  MoveStats(TableMetrics metrics) {
    promotedRows = metrics.counter("PromotedRows");
    promotedBytes = metrics.counter("PromotedBytes");
    copiedRows = metrics.counter("CopiedRows");
    demotedRows = metrics.counter("DemotedRows");
    demotedBytes = metrics.counter("DemotedBytes");
    refusedRows = metrics.counter("RowsRefusedByQuota");
  }
}
