/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import io.kasane.host.config.NodeConfig;
import io.kasane.host.refuse.JarVersions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.utils.FBUtilities;

/** The view {@code node}: which Kasane runs here, and with which settings. */
public final class NodeView {
  private NodeView() {}

  /** Shows it, and the version as a metric whose scope it is, since exporters drop texts. */
  public static void show(NodeConfig config, long heatMemoryBytes) {
    Date started = Date.from(Instant.now());
    Views.register(
        List.of(
            Views.table(
                "node",
                "Versions and settings of this node",
                "address text PRIMARY KEY, host_id uuid, kasane_version text,"
                    + " cassandra_version text, java_version text, started_at timestamp,"
                    + " fast_directories frozen<list<text>>, fast_quota_bytes bigint,"
                    + " heat_memory_bytes bigint",
                1,
                rows -> row(rows, config, heatMemoryBytes, started))));
    NodeMetrics.gauge(JarVersions.ours(), "Version", () -> 1);
  }

  private static void row(
      SimpleDataSet rows, NodeConfig config, long heatMemoryBytes, Date started) {
    UUID id = SystemKeyspace.getLocalHostId();
    rows.row(FBUtilities.getBroadcastNativeAddressAndPort().getHostAddressAndPort())
        .column("host_id", id)
        .column("kasane_version", JarVersions.ours())
        .column("cassandra_version", FBUtilities.getReleaseVersionString())
        .column("java_version", Runtime.version().toString())
        .column("started_at", started)
        .column("fast_directories", config.fastDirectories().stream().map(Path::toString).toList())
        .column(
            "fast_quota_bytes",
            config.fastQuotaBytes().isPresent() ? config.fastQuotaBytes().getAsLong() : null)
        .column("heat_memory_bytes", heatMemoryBytes);
  }
}
