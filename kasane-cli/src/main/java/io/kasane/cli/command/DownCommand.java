/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.LocalCluster;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kasane down}: stops the nodes of a directory. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = "Stops the nodes of a cluster in an orderly way. Data and logs stay.")
public final class DownCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DirOption dir;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    LocalCluster cluster = dir.open();
    long running = cluster.nodes().stream().filter(node -> node.isAlive()).count();
    if (running == 0) {
      out.println("No node of " + cluster.dir() + " was running.");
    } else {
      cluster.stop();
      out.println(
          "Stopped "
              + running
              + (running == 1 ? " node" : " nodes")
              + "; data kept in "
              + cluster.dir());
    }
    out.flush();
    return 0;
  }
}
