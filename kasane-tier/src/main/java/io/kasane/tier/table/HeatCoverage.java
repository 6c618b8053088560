/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.HotSet;

/** Whether the memory for heat is large enough. */
public final class HeatCoverage {
  private HeatCoverage() {}

  /**
   * Of the rows that may be hot on fast, by the mean hot row, or of all rows of the table if these
   * are fewer: how many can be known by their heat, 0 to 1. Below 1 the memory for heat is too
   * small for the fast disk. 1 where no heat is needed.
   */
  public static double share(TieredTable table) {
    if (!table.options().goesByHeat()) {
      return 1;
    }
    HotSet hot = table.heat().hotSet();
    double hotRowBytes =
        hot.hotBytes() == 0 ? table.disks().rowBytes() : hot.hotBytes() / (double) hot.hotKeys();
    double rows =
        (table.disks().liveBytes(Tier.SLOW) + table.copies().fastOnlyBytes())
            / (double) table.disks().rowBytes();
    double wanted = Math.min(table.hotBudgetBytes() / hotRowBytes, rows);
    return wanted <= 0 ? 1 : Math.min(1, table.heat().tracker().capacityKeys() / wanted);
  }
}
