/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a local cluster lives: shared by every command that speaks to one. */
final class DirOption {
  static final String DEFAULT = "kasane-data";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = DEFAULT,
      description = "The cluster's directory (default: ./${DEFAULT-VALUE}).")
  private Path dir;

  Path path() {
    return dir.toAbsolutePath().normalize();
  }

  /** Opens the cluster that was started there. */
  LocalCluster open() {
    return LocalCluster.open(Distribution.locate(), path())
        .orElseThrow(
            () ->
                new NodeException(
                    "No cluster was ever started in "
                        + path()
                        + ". Start one with 'kasane up', or name another directory with --dir."));
  }
}
