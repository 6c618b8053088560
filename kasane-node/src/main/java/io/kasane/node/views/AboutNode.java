/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.views;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.OptionalLong;

/**
 * The row of {@code kasane_views.node}: versions and settings of one node.
 *
 * @param address that clients have of it, with its port
 * @param kasaneVersion of the node's jars
 * @param cassandraVersion of Cassandra
 * @param javaVersion of its JVM
 * @param startedAtMillis when Kasane started there
 * @param fastDirectories its directories on the fast disk
 * @param fastQuotaBytes the most that all tables may keep there; empty = 90 % of the disk
 * @param heatMemoryBytes the most that access counts may take
 */
public record AboutNode(
    String address,
    String kasaneVersion,
    String cassandraVersion,
    String javaVersion,
    long startedAtMillis,
    List<String> fastDirectories,
    OptionalLong fastQuotaBytes,
    long heatMemoryBytes) {

  static AboutNode of(Row row) {
    return new AboutNode(
        row.getString("address"),
        row.getString("kasane_version"),
        row.getString("cassandra_version"),
        row.getString("java_version"),
        row.getInstant("started_at").toEpochMilli(),
        row.getList("fast_directories", String.class),
        EngineView.ifKnown(row, "fast_quota_bytes"),
        row.getLong("heat_memory_bytes"));
  }
}
