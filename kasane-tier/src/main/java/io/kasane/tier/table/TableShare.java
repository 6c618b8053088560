/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.heat.track.HeatTracker;
import io.kasane.tier.hot.TableHeat;
import io.kasane.tier.quota.FastBudget;
import io.kasane.tier.quota.FastTier;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What decides how much of the node's quota is a table's. Thread-safe. */
record TableShare(FastTier fast, TableHeat heat) implements FastBudget.Sharer {
  @Override
  public OptionalLong ownLimitBytes() {
    return fast.tableLimitBytes();
  }

  /** Absent while the table is being constructed. */
  @Override
  public OptionalDouble accesses() {
    HeatTracker counts = heat.tracker();
    return counts == null
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) counts.totalAccesses());
  }
}
