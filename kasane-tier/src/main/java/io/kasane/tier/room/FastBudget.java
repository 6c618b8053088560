/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.room;

import io.kasane.heat.HeatTracker;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Divides the node's fast quota among its tables: a table with a limit of its own gets that (as far
 * as the node's quota goes), the others share what is left by how much they are accessed.
 */
public final class FastBudget {
  private final FastQuota quota;
  private final Supplier<? extends Collection<? extends Sharer>> tables;

  /** A table with rows on fast. */
  public interface Sharer {
    /** The fast disk as the table sees it. */
    FastTier fast();

    /** Its counts; null if it has none yet. */
    HeatTracker tracker();
  }

  public FastBudget(FastQuota quota, Supplier<? extends Collection<? extends Sharer>> tables) {
    this.quota = quota;
    this.tables = tables;
  }

  public long bytesFor(Sharer table) {
    long limit = quota.limitBytes();
    OptionalLong own = table.fast().tableLimitBytes();
    if (own.isPresent()) {
      return Math.min(limit, own.getAsLong());
    }
    long left = limit;
    double accesses = 0;
    int sharers = 0;
    boolean listed = false;
    for (Sharer other : tables.get()) {
      OptionalLong othersOwn = other.fast().tableLimitBytes();
      if (othersOwn.isPresent()) {
        left -= Math.min(othersOwn.getAsLong(), limit);
      } else if (other.tracker() != null) {
        accesses += other.tracker().totalAccesses() + 1;
        sharers++;
        listed |= other == table;
      }
    }
    if (!listed || sharers == 0 || table.tracker() == null) {
      return Math.max(0, left);
    }
    return (long) (Math.max(0, left) * (table.tracker().totalAccesses() + 1) / accesses);
  }
}
