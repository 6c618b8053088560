/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench;

import io.kasane.bench.compact.CompactCommand;
import io.kasane.bench.disks.DisksCommand;
import io.kasane.bench.engines.EnginesCommand;
import io.kasane.bench.heat.HeatCommand;
import io.kasane.bench.heat.HeatCostCommand;
import io.kasane.bench.kinds.KindsCommand;
import io.kasane.bench.ramp.RampCommand;
import io.kasane.bench.rdma.RdmaCommand;
import io.kasane.bench.tier.TierCommand;
import io.kasane.bench.windows.WindowsCommand;
import io.kasane.cli.CommandExtension;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code kasane bench}: experiments, each one command. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "EXPERIMENT",
    description = "Measures Kasane beside stock Cassandra and the best that is possible.",
    subcommands = {
      TierCommand.class,
      CompactCommand.class,
      HeatCommand.class,
      HeatCostCommand.class,
      DisksCommand.class,
      RampCommand.class,
      EnginesCommand.class,
      KindsCommand.class,
      WindowsCommand.class,
      RdmaCommand.class
    })
public final class BenchCommand implements CommandExtension, Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
