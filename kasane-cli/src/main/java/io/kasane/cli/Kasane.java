/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli;

import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.cli.command.DoctorCommand;
import io.kasane.cli.command.DownCommand;
import io.kasane.cli.command.GrantsCommand;
import io.kasane.cli.command.HeatCommand;
import io.kasane.cli.command.NodetoolCommand;
import io.kasane.cli.command.StatusCommand;
import io.kasane.cli.command.TryCommand;
import io.kasane.cli.command.UpCommand;
import io.kasane.cli.install.InstallCommand;
import io.kasane.cli.install.UninstallCommand;
import io.kasane.cli.ramp.RampGroup;
import io.kasane.cli.report.ReportCommand;
import io.kasane.node.NodeException;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code kasane up}, {@code down}, {@code status}, {@code heat}... */
@Command(
    name = "kasane",
    description = "Keeps the hot rows of stock Apache Cassandra 5.0 on the fast disk.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Kasane.Version.class,
    footer = {
      "",
      "First steps:",
      "  kasane demo      see it work on this machine, in minutes, nothing left behind",
      "  kasane up        start a node of your own; kasane down stops it",
      "Every command explains itself with --help."
    },
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      NodetoolCommand.class,
      HeatCommand.class,
      DoctorCommand.class,
      ReportCommand.class,
      GrantsCommand.class,
      InstallCommand.class,
      TryCommand.class,
      UninstallCommand.class,
      RampGroup.class,
    })
public final class Kasane implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** Returns the command line, ready to execute. */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Kasane());
    ServiceLoader.load(CommandExtension.class).forEach(commandLine::addSubcommand);
    // What follows nodetool's first word belongs to nodetool, options included.
    commandLine.getSubcommands().get("nodetool").setStopAtPositional(true);
    commandLine.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (failure instanceof NodeException || failure instanceof DriverException) {
            command.getErr().println("kasane: " + failure.getMessage());
          } else {
            failure.printStackTrace(command.getErr());
          }
          return CommandLine.ExitCode.SOFTWARE;
        });
    return commandLine;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** The version the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Kasane.class.getPackage().getImplementationVersion();
      return new String[] {"kasane " + (version == null ? "(not packaged)" : version)};
    }
  }
}
