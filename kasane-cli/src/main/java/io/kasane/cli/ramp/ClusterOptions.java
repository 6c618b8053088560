/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.login.LoginOptions;
import io.kasane.node.Sessions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a command speaks to. */
final class ClusterOptions {
  @Mixin private LoginOptions login;

  @Option(
      names = "--driver-config",
      paramLabel = "FILE",
      description =
          "An application.conf of the Java driver instead of all these: contact points, data"
              + " centre, user, TLS.")
  private Optional<Path> driverConfig = Optional.empty();

  /** A session, which the caller closes. */
  CqlSession open() {
    return driverConfig.map(Sessions::open).orElseGet(login::openCluster);
  }
}
