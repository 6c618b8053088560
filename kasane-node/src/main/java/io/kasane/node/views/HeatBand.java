/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.heat_map}: rows of like heat.
 *
 * @param firstRank of the hottest of them, from 1
 * @param lastRank of the coldest of them
 * @param accessShare that they get of all accesses, 0 to 1
 * @param fastShare share of them that is read from fast
 * @param slowShare share of them that is read from slow
 */
public record HeatBand(
    long firstRank, long lastRank, double accessShare, double fastShare, double slowShare) {

  static HeatBand of(Row row) {
    return new HeatBand(
        row.getLong("first_rank"),
        row.getLong("last_rank"),
        row.getDouble("access_share"),
        row.getDouble("fast_share"),
        row.getDouble("slow_share"));
  }
}
