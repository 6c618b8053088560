/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.NodeException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kasane nodetool}: Cassandra's own nodetool against one of the nodes. */
@Command(
    name = "nodetool",
    mixinStandardHelpOptions = true,
    description = {
      "Runs stock nodetool against a node: kasane nodetool status, kasane nodetool help ...",
      "Options of kasane come first; the first word that is none starts nodetool's arguments."
    })
public final class NodetoolCommand implements Callable<Integer> {
  @Mixin private DirOption dir;

  @Option(
      names = "--node",
      paramLabel = "I",
      defaultValue = "1",
      description = "Which node to ask (default: ${DEFAULT-VALUE}).")
  private int node;

  @Parameters(
      arity = "1..*",
      paramLabel = "ARGS",
      description = "What nodetool is to do, with its own options.")
  private List<String> arguments;

  @Override
  public Integer call() throws InterruptedException {
    try {
      return dir.open().node(node).nodetoolProcess(arguments).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new NodeException("Cannot run nodetool: " + e.getMessage(), e);
    }
  }
}
