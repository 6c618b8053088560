/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.quota;

import java.util.Collection;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Divides the node's fast quota among its tables: a table with a limit of its own gets that (as far
 * as the node's quota goes), the others share what is left by how much they are accessed.
 */
public final class QuotaShares {
  private final LongSupplier quotaBytes;
  private final Supplier<? extends Collection<? extends Sharer>> tables;

  /** A table with rows on fast. */
  public interface Sharer {
    /** Its own limit, bytes, if it has one. */
    OptionalLong ownLimitBytes();

    /** How often it was accessed lately; absent while nothing is counted yet. */
    OptionalDouble accesses();
  }

  /**
   * A budget.
   *
   * @param quotaBytes the node's limit now
   * @param tables those of now
   */
  public QuotaShares(
      LongSupplier quotaBytes, Supplier<? extends Collection<? extends Sharer>> tables) {
    this.quotaBytes = quotaBytes;
    this.tables = tables;
  }

  /** What a table may have on fast now, bytes; a table that is not listed yet gets what is left. */
  public long bytesFor(Sharer table) {
    long limit = quotaBytes.getAsLong();
    if (table.ownLimitBytes().isPresent()) {
      return Math.min(limit, table.ownLimitBytes().getAsLong());
    }
    long left = limit;
    double own = 0;
    double all = 0;
    for (Sharer other : tables.get()) {
      if (other.ownLimitBytes().isPresent()) {
        left -= Math.min(other.ownLimitBytes().getAsLong(), limit);
        continue;
      }
      OptionalDouble accesses = other.accesses();
      if (accesses.isPresent()) {
        double weight = accesses.getAsDouble() + 1; // no table starves before it has been read
        all += weight;
        own = other == table ? weight : own;
      }
    }
    left = Math.max(0, left);
    return own > 0 ? (long) (left * own / all) : left;
  }
}
