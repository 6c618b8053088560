/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host;

import com.codahale.metrics.Gauge;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;

/**
 * The node's own metrics in Cassandra's registry: {@code
 * org.apache.cassandra.metrics:type=Kasane,name=NAME}.
 */
public final class NodeMetrics {
  private NodeMetrics() {}

  /** Registers a gauge for as long as the node runs. */
  public static <T> void gauge(String name, Supplier<T> value) {
    Gauge<T> gauge = value::get;
    CassandraMetricsRegistry.Metrics.register(
        new MetricName(
            TableMetrics.GROUP,
            TableMetrics.TYPE,
            name,
            null,
            TableMetrics.GROUP + ":type=" + TableMetrics.TYPE + ",name=" + name),
        gauge);
  }
}
