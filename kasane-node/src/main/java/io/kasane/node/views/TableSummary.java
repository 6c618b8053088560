/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * What of a row of {@code kasane_views.tables} says how a table stands.
 *
 * @param table with its keyspace
 * @param policy how hot is told from cold; {@code stay} where an option in the schema is bad
 * @param tierMode {@code tier} or {@code cache}
 * @param fastQuotaBytes what it may use on fast
 * @param fastUsedBytes what lies there of it, snapshots and files being written included
 * @param fastOnlyBytes whose rows may lie nowhere else on the node
 * @param slowBytes on slow
 * @param readsFast reads that touched SSTables on fast only, since the node started
 * @param readsSlow reads that touched an SSTable on slow
 * @param fastReadShare share of the first among both; NaN if there were none
 * @param refusedRows rows that went to slow for lack of room, since the node started
 * @param copiesPay whether copies serve more than their share of the bytes
 * @param trackedKeys keys whose heat is known
 * @param hotAccessShare share of the accesses that go to the hot set, 0 to 1
 * @param knownHeatShare share of the rows that fit on fast whose heat can be known, 0 to 1
 */
public record TableSummary(
    String table,
    String policy,
    String tierMode,
    long fastQuotaBytes,
    long fastUsedBytes,
    long fastOnlyBytes,
    long slowBytes,
    long readsFast,
    long readsSlow,
    double fastReadShare,
    long refusedRows,
    boolean copiesPay,
    long trackedKeys,
    double hotAccessShare,
    double knownHeatShare) {

  static TableSummary of(Row row) {
    return new TableSummary(
        row.getString("keyspace_name") + "." + row.getString("table_name"),
        row.getString("policy"),
        row.getString("tier_mode"),
        row.getLong("fast_quota_bytes"),
        row.getLong("fast_used_bytes"),
        row.getLong("fast_only_bytes"),
        row.getLong("slow_bytes"),
        row.getLong("reads_fast"),
        row.getLong("reads_slow"),
        row.getDouble("fast_read_share"),
        row.getLong("refused_rows"),
        row.getBoolean("copies_pay"),
        row.getLong("tracked_keys"),
        row.getDouble("hot_access_share"),
        row.getDouble("known_heat_share"));
  }
}
