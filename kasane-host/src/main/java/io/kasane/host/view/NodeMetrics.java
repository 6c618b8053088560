/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.view;

import com.codahale.metrics.Gauge;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;
import org.apache.cassandra.metrics.CassandraMetricsRegistry.MetricName;

/**
 * The node's own metrics in Cassandra's registry: {@code
 * org.apache.cassandra.metrics:type=Kasane,name=NAME}, and of a part of it {@code
 * org.apache.cassandra.metrics:type=Kasane,scope=PART,name=NAME}.
 */
public final class NodeMetrics {
  private static final Map<String, LongSupplier> workers = new ConcurrentSkipListMap<>();

  private NodeMetrics() {}

  /**
   * Registers a thread that goes round for as long as the node runs: the gauge {@code
   * NAMEAgeMillis}, and a row of the view {@code workers}.
   *
   * @param ageMillis of its last round
   */
  public static synchronized void worker(String name, LongSupplier ageMillis) {
    gauge(name + "AgeMillis", ageMillis::getAsLong);
    workers.put(name, ageMillis);
    Views.register(
        List.of(
            Views.table(
                "workers",
                "Threads of Kasane, and the age of their last rounds",
                "name text PRIMARY KEY, age_millis bigint",
                1,
                rows ->
                    workers.forEach(
                        (worker, age) -> rows.row(worker).column("age_millis", age.getAsLong())))));
  }

  /** Registers a gauge for as long as the node runs. */
  public static <T> void gauge(String name, Supplier<T> value) {
    register(name, null, ",name=" + name, value);
  }

  /**
   * Registers a gauge of one part of the node for as long as it runs.
   *
   * @param part must not contain the name: Cassandra refuses such a scope
   */
  public static <T> void gauge(String part, String name, Supplier<T> value) {
    register(name, part, ",scope=" + part + ",name=" + name, value);
  }

  private static <T> void register(String name, String scope, String rest, Supplier<T> value) {
    Gauge<T> gauge = value::get;
    CassandraMetricsRegistry.Metrics.register(
        new MetricName(
            TableMetrics.GROUP,
            TableMetrics.TYPE,
            name,
            scope,
            TableMetrics.GROUP + ":type=" + TableMetrics.TYPE + rest),
        gauge);
  }
}
