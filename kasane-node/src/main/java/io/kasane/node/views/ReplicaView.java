/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;

/**
 * One row of {@code kasane_views.replicas}: a node as another one sees it.
 *
 * @param address of the node
 * @param rack its rack
 * @param isUp whether it is believed alive
 * @param severity how much reads avoid it
 * @param hintBytes writes that it has missed and that are kept for it
 * @param oldestHintSeconds the age of the oldest
 */
public record ReplicaView(
    String address,
    String rack,
    boolean isUp,
    double severity,
    long hintBytes,
    long oldestHintSeconds) {

  static ReplicaView of(Row row) {
    return new ReplicaView(
        row.getString("address"),
        row.getString("rack"),
        row.getBoolean("is_up"),
        row.getDouble("severity"),
        row.getLong("hint_bytes"),
        row.getLong("oldest_hint_seconds"));
  }
}
