/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.workers}: a thread of Kasane.
 *
 * @param name the thread is {@code Kasane[name]}
 * @param ageMillis of its last round
 */
public record WorkerRow(String name, long ageMillis) {
  static WorkerRow of(Row row) {
    return new WorkerRow(row.getString("name"), row.getLong("age_millis"));
  }
}
