/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.sizing}.
 *
 * @param fastQuotaBytes a size of the fast disk
 * @param hotRows that would lie there
 * @param readShare share of the accesses that it would serve, 0 to 1
 * @param remark "today", "knee" or ""
 */
public record Sizing(long fastQuotaBytes, long hotRows, double readShare, String remark) {
  /** The remark at the quota of now. */
  public static final String TODAY = "today";

  /** The remark where more quota begins to bring less than on average. */
  public static final String KNEE = "knee";

  static Sizing of(Row row) {
    return new Sizing(
        row.getLong("fast_quota_bytes"),
        row.getLong("hot_rows"),
        row.getDouble("read_share"),
        row.getString("remark"));
  }
}
