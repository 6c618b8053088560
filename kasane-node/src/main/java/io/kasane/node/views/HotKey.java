/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.hottest_keys}.
 *
 * @param rank 1 for the hottest
 * @param key the partition key as text
 * @param accessShare its share of all accesses, 0 to 1
 * @param sizeBytes its bytes on disk
 * @param tier where it is read from
 */
public record HotKey(int rank, String key, double accessShare, long sizeBytes, String tier) {

  static HotKey of(Row row) {
    return new HotKey(
        row.getInt("rank"),
        row.getString("key"),
        row.getDouble("access_share"),
        row.getLong("size_bytes"),
        row.getString("tier"));
  }
}
