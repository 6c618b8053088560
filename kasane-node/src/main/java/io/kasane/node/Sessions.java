/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.typesafe.config.ConfigException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Driver sessions with patience for nodes that share a few cores with their client. */
public final class Sessions {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Sessions() {}

  /**
   * Opens a session as a configuration of the driver says, which names contact points, data centre,
   * user and TLS.
   */
  public static CqlSession open(Path driverConfig) {
    if (!Files.isRegularFile(driverConfig)) {
      throw new NodeException(
          "--driver-config: "
              + driverConfig
              + " is no file; name an application.conf of the driver");
    }
    try {
      return CqlSession.builder()
          .withConfigLoader(DriverConfigLoader.fromPath(driverConfig))
          .build();
    } catch (AllNodesFailedException e) {
      throw new NodeException(
          "No CQL server answers at the contact points of " + driverConfig + ": " + e.getMessage(),
          e);
    } catch (IllegalArgumentException | IllegalStateException | ConfigException e) {
      throw new NodeException("--driver-config: " + driverConfig + ": " + e.getMessage(), e);
    }
  }

  /** Opens a session; the driver finds the other nodes by itself. */
  public static CqlSession open(String host, int port) {
    return open(host, port, patient().build());
  }

  /** The same, with more of the driver's configuration. */
  public static CqlSession open(
      String host, int port, UnaryOperator<ProgrammaticDriverConfigLoaderBuilder> more) {
    return open(host, port, more.apply(patient()).build());
  }

  /** The same, which knows keyspaces and who has which tokens. */
  public static CqlSession openWithRing(String host, int port) {
    return open(
        host,
        port,
        patient()
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, true)
            .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, true)
            .build());
  }

  /** The driver's configuration for somebody who waits, and ends with the session. */
  public static ProgrammaticDriverConfigLoaderBuilder patient() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
        // Commands end with their session.
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(2));
  }

  private static CqlSession open(String host, int port, DriverConfigLoader config) {
    try {
      return CqlSession.builder()
          .addContactPoint(new InetSocketAddress(host, port))
          .withLocalDatacenter("datacenter1")
          .withConfigLoader(config)
          .build();
    } catch (AllNodesFailedException e) {
      throw new NodeException(
          "No CQL server answers on "
              + host
              + ":"
              + port
              + ". See 'kasane status', start one with 'kasane up', or name another with --host"
              + " and --port.",
          e);
    }
  }
}
