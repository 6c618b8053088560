/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.route;

import io.kasane.host.view.NodeMetrics;
import io.kasane.host.view.Views;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.db.virtual.VirtualTable;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.hints.HintsService;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.service.StorageService;

/**
 * How far other nodes are behind with writes, as far as this node knows: the hints that it keeps
 * for them, on disk or still in memory. Thread-safe.
 */
public final class ReplicaLag {
  private ReplicaLag() {}

  /** Shows it as {@code kasane_views.replicas}, and as a metric. */
  public static void show() {
    Views.register(List.of(view()));
    NodeMetrics.gauge("OldestHintSeconds", ReplicaLag::oldestHintSeconds);
  }

  private static VirtualTable view() {
    return Views.table(
        "replicas",
        "Nodes, how much reads avoid them, and what they have missed",
        "address text PRIMARY KEY, rack text, is_up boolean, severity double,"
            + " hint_bytes bigint, oldest_hint_seconds bigint",
        1,
        rows -> nodes().forEach((address, id) -> row(rows, address, id)));
  }

  private static void row(SimpleDataSet rows, InetAddressAndPort address, UUID id) {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    rows.row(address.getHostAddressAndPort())
        .column("rack", snitch.getRack(address))
        .column("is_up", FailureDetector.instance.isAlive(address))
        .column("severity", DynamicEndpointSnitch.getSeverity(address))
        .column("hint_bytes", HintsService.instance.getTotalHintsSize(id))
        .column("oldest_hint_seconds", hintSeconds(id).orElse(0));
  }

  private static Map<InetAddressAndPort, UUID> nodes() {
    return StorageService.instance.getTokenMetadata().getEndpointToHostIdMapForReading();
  }

  private static long oldestHintSeconds() {
    return nodes().values().stream().flatMapToLong(id -> hintSeconds(id).stream()).max().orElse(0);
  }

  private static OptionalLong hintSeconds(UUID id) {
    long millis = HintsService.instance.findOldestHintTimestamp(id);
    return millis == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(
            TimeUnit.MILLISECONDS.toSeconds(Math.max(0, System.currentTimeMillis() - millis)));
  }
}
