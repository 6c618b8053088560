/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.ramp;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code kasane ramp}: what operators do with tables of transactions. */
@Command(
    name = "ramp",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Looks after the tables of read-atomic transactions.",
    subcommands = {
      HealCommand.class,
      CollectCommand.class,
      CheckCommand.Verify.class,
      CheckCommand.Rebuild.class,
      BackfillCommand.class
    })
public final class RampGroup implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
