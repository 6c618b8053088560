/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.node.Rack;
import io.kasane.node.ReplicaKinds;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Stock nodes for tests of transactions, and sessions with patience for them. {@code
 * kasane.ramp.kinds} makes them nodes of other kinds: {@code lsm,lmdb,redis}.
 */
public final class RampNodes {
  private static final String KINDS = "kasane.ramp.kinds";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private RampNodes() {}

  /** Small stock nodes, not yet started. */
  public static LocalCluster of(int nodes, Path dir, Consumer<NodeSettings.Builder> change) {
    return LocalCluster.builder(Distribution.locate(), dir)
        .isolated()
        .nodes(nodes)
        .each(settings -> settings.withKasane(false).heap("512m"))
        .each(RampNodes::ofAKind)
        .each(change)
        .build();
  }

  /** Long runs may want other nodes than stock ones. */
  private static void ofAKind(int index, NodeSettings.Builder settings) {
    String kinds = System.getProperty(KINDS, "");
    if (!kinds.isEmpty()) {
      ReplicaKinds.parse(kinds).apply(index, settings.withKasane(true).heap("768m"));
    }
  }

  /** As many small stock nodes in each of the data centres dc1 and dc2, not yet started. */
  public static LocalCluster inTwoDataCentres(int nodesEach, Path dir) {
    AtomicInteger number = new AtomicInteger();
    return of(
        2 * nodesEach,
        dir,
        settings ->
            settings.in(
                // Every other node of the ring, so that each centre has all of it.
                new Rack(number.getAndIncrement() % 2 == 0 ? "dc1" : "dc2", "rack1")));
  }

  /** A session by way of that node, of the data centre that a node is in unless told otherwise. */
  public static CqlSession connect(LocalNode node) {
    return connect(node, "datacenter1", "", PATIENCE);
  }

  /**
   * A session by way of that node.
   *
   * @param user who logs in, with the name for password; empty where nobody must
   */
  public static CqlSession connect(
      LocalNode node, String dataCentre, String user, Duration requestTimeout) {
    return connect(node, dataCentre, user, requestTimeout, Duration.ofSeconds(1));
  }

  /**
   * A session of a node that is alone. Whoever makes a table waits for the driver to look for more
   * changes of the schema; meanwhile other nodes would hear of it.
   *
   * @param user who logs in, with the name for password; empty where nobody must
   */
  public static CqlSession connectAlone(LocalNode node, String user) {
    return connect(node, "datacenter1", user, PATIENCE, Duration.ofMillis(10));
  }

  private static CqlSession connect(
      LocalNode node,
      String dataCentre,
      String user,
      Duration requestTimeout,
      Duration schemaWindow) {
    var config =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, requestTimeout)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, schemaWindow)
            // A node writes its part of a trace when it has time to.
            .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, 300)
            .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(100))
            // Nothing comes after the end of a session.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
            .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2));
    var builder =
        CqlSession.builder()
            .addContactPoint(
                new InetSocketAddress(node.settings().address(), node.settings().nativePort()))
            .withLocalDatacenter(dataCentre)
            .withConfigLoader(config.build());
    return (user.isEmpty() ? builder : builder.withAuthCredentials(user, user)).build();
  }
}
