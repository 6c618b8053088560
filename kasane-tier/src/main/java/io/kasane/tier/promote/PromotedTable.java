/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.stats.ReadStats;
import io.kasane.tier.write.WrittenTable;

/** What promotion must know of a table besides. Thread-safe. */
public interface PromotedTable extends WrittenTable {
  ReadStats readStats();

  RunningTasks tasks();
}
