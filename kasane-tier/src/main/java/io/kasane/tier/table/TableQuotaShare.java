/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.heat.track.HeatTracker;
import io.kasane.tier.hot.TableHeat;
import io.kasane.tier.quota.FastTier;
import io.kasane.tier.quota.QuotaShares;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The two values that decide a table's part of the node's quota: its own limit and its accesses.
 * Thread-safe.
 */
record TableQuotaShare(FastTier fast, TableHeat heat) implements QuotaShares.Sharer {
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
