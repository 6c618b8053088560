/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.tiers}.
 *
 * @param tier {@code fast} or {@code slow}
 * @param sstables how many SSTables lie there
 * @param bytes their bytes
 * @param partitions their partitions, added up over the SSTables
 * @param sstableReads how often a read touched one of them
 * @param waits look-ups that took 2 ms and more since the node started
 */
public record TierView(
    String tier, int sstables, long bytes, long partitions, long sstableReads, long waits) {

  static TierView of(Row row) {
    return new TierView(
        row.getString("tier"),
        row.getInt("sstables"),
        row.getLong("bytes"),
        row.getLong("partitions"),
        row.getLong("sstable_reads"),
        row.getLong("waits"));
  }
}
