/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.tables}: a table's tiers as one node sees them.
 *
 * @param policy how hot is told from cold
 * @param placement where rows are put
 * @param fastQuotaBytes how many bytes the table may use on fast
 * @param fastBytes bytes on fast
 * @param slowBytes bytes on slow
 * @param readsMemory reads that touched no SSTable, since the node started
 * @param readsFast reads that touched SSTables on fast only
 * @param readsSlow reads that touched an SSTable on slow
 * @param promotedRows rows copied to fast
 * @param demotedRows rows that left fast
 * @param trackedKeys keys whose heat is known
 * @param hotKeys keys the policy holds for hot
 * @param hotBytes their bytes
 * @param hotAccessShare their share of all accesses, 0 to 1
 */
public record TableView(
    String policy,
    String placement,
    long fastQuotaBytes,
    long fastBytes,
    long slowBytes,
    long readsMemory,
    long readsFast,
    long readsSlow,
    long promotedRows,
    long demotedRows,
    long trackedKeys,
    long hotKeys,
    long hotBytes,
    double hotAccessShare) {

  static TableView of(Row row) {
    return new TableView(
        row.getString("policy"),
        row.getString("placement"),
        row.getLong("fast_quota_bytes"),
        row.getLong("fast_bytes"),
        row.getLong("slow_bytes"),
        row.getLong("reads_memory"),
        row.getLong("reads_fast"),
        row.getLong("reads_slow"),
        row.getLong("promoted_rows"),
        row.getLong("demoted_rows"),
        row.getLong("tracked_keys"),
        row.getLong("hot_keys"),
        row.getLong("hot_bytes"),
        row.getDouble("hot_access_share"));
  }

  /**
   * Returns the share of the reads since {@code earlier} that fast served, among those that touched
   * an SSTable; NaN when there were none.
   */
  public double fastShareSince(TableView earlier) {
    double fast = readsFast - earlier.readsFast;
    double slow = readsSlow - earlier.readsSlow;
    return fast / (fast + slow);
  }

  /** Returns the share since the node started; NaN when no read touched an SSTable. */
  public double fastShare() {
    return (double) readsFast / (readsFast + readsSlow);
  }
}
