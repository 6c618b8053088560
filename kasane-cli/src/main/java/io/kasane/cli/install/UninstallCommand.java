/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kasane uninstall}: takes Kasane out of an installed Cassandra. */
@Command(
    name = "uninstall",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Takes Kasane out of a Cassandra of this machine: settings become what they were, jars go, and"
          + " what Kasane left in data directories. Refuses while the node runs, or while rows lie in"
          + " the fast directory.",
      "Before it, for the cluster: ALTER all tables to a stock compaction strategy, else a node"
          + " without the jars does not start. On each node: 'nodetool relocatesstables'."
    })
public final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOptions home;

  @Override
  public Integer call() {
    CassandraHome cassandra = home.find();
    return home.carryOut(
        new Installation(cassandra).uninstall(),
        spec.commandLine().getOut(),
        "Cassandra " + cassandra.version() + " in " + cassandra.home() + " has no Kasane.",
        "Start the node.");
  }
}
