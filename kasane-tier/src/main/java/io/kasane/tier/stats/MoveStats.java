/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import com.codahale.metrics.Counter;
import io.kasane.host.view.TableMetrics;

/**
 * Rows and bytes that flushes, compactions and copies moved between the tiers since the node
 * started.
 */
public final class MoveStats {
  public final Counter promotedRows;
  public final Counter promotedBytes;
  public final Counter copiedRows;
  public final Counter demotedRows;
  public final Counter demotedBytes;
  public final Counter refusedRows;

  public MoveStats(TableMetrics metrics) {
    promotedRows = metrics.counter("PromotedRows");
    promotedBytes = metrics.counter("PromotedBytes");
    copiedRows = metrics.counter("CopiedRows");
    demotedRows = metrics.counter("DemotedRows");
    demotedBytes = metrics.counter("DemotedBytes");
    refusedRows = metrics.counter("RowsRefusedByQuota");
  }
}
