/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

import io.kasane.copies.sstables.Tier;

/** An SSTable: how many rows of each class it holds, and what reads have done in it. */
final class SimSSTable {
  private static final long FIXED_BYTES = 20_000;

  final Tier tier;
  final boolean hot;
  final int shard;

  /** Rows that are hot, by class, and those that are not, or not any more. */
  final double[] hotRows;

  final double[] coldRows;

  /** Its rows change their heat, not their number. */
  private final double rows;

  double reads;
  double misplacedReads;
  double wastedLookUps;

  SimSSTable(Tier tier, boolean hot, int shard, double[] hotRows, double[] coldRows) {
    this.tier = tier;
    this.hot = hot;
    this.shard = shard;
    this.hotRows = hotRows;
    this.coldRows = coldRows;
    this.rows = Popularity.sum(hotRows) + Popularity.sum(coldRows);
  }

  double rows() {
    return rows;
  }

  long bytes() {
    return FIXED_BYTES + (long) (SimTable.ROW_BYTES * rows());
  }
}
