/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.NodeSettings;
import io.kasane.node.Sessions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which cluster a command speaks to. */
final class ClusterOptions {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "A node (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + NodeSettings.DEFAULT_NATIVE_PORT,
      description = "Its CQL port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--driver-config",
      paramLabel = "FILE",
      description =
          "An application.conf of the Java driver instead of host and port: contact points, data"
              + " centre, user, TLS.")
  private Optional<Path> driverConfig = Optional.empty();

  /** A session, which the caller closes. */
  CqlSession open() {
    return driverConfig.map(Sessions::open).orElseGet(() -> Sessions.open(host, port));
  }
}
