/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.admission;

import io.kasane.tier.pick.RunningTasks;
import io.kasane.tier.stats.ReadStats;
import io.kasane.tier.write.PlacementContext;

/** What promotion must know of a table, in addition to {@link PlacementContext}. Thread-safe. */
public interface PromotionContext extends PlacementContext {
  ReadStats readStats();

  RunningTasks tasks();
}
