/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;
import org.apache.cassandra.schema.TableMetadata;

/**
 * One table's metrics in Cassandra's registry, so that every exporter and JMX client that reads
 * Cassandra's metrics sees them: {@code
 * org.apache.cassandra.metrics:type=Kasane,keyspace=KS,scope=TABLE,name=NAME}.
 */
public final class TableMetrics implements AutoCloseable {
  static final String GROUP = "org.apache.cassandra.metrics";
  static final String TYPE = "Kasane";

  private final String keyspace;
  private final String table;
  private final String id;
  private final List<MetricName> registered = new ArrayList<>();

  public TableMetrics(TableMetadata metadata) {
    this.keyspace = metadata.keyspace;
    this.table = metadata.name;
    this.id = metadata.id.toHexString();
  }

  public Counter counter(String name) {
    MetricName metricName = remember(name);
    return CassandraMetricsRegistry.Metrics.counter(metricName);
  }

  public <T> void gauge(String name, Supplier<T> value) {
    MetricName metricName = remember(name);
    Gauge<T> gauge = value::get;
    CassandraMetricsRegistry.Metrics.register(metricName, gauge);
  }

  private MetricName remember(String name) {
    MetricName metricName =
        new MetricName(
            GROUP,
            TYPE,
            name,
            id, // Cassandra refuses a scope that contains a metric's name; a table may be called so
            GROUP
                + ":type="
                + TYPE
                + ",keyspace="
                + keyspace
                + ",scope="
                + table
                + ",name="
                + name);
    registered.add(metricName);
    return metricName;
  }

  /** Takes the table's metrics out of the registry. */
  @Override
  public void close() {
    registered.forEach(CassandraMetricsRegistry.Metrics::remove);
    registered.clear();
  }
}
