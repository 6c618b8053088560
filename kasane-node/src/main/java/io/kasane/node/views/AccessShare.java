/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.access_distribution}.
 *
 * @param topPercent the hottest so many percent of the keys
 * @param share their share of all accesses, 0 to 1
 */
public record AccessShare(double topPercent, double share) {

  static AccessShare of(Row row) {
    return new AccessShare(row.getDouble("top_percent"), row.getDouble("access_share"));
  }
}
