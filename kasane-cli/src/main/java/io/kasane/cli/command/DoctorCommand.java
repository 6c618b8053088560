/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.doctor.Doctor;
import io.kasane.cli.doctor.Finding;
import io.kasane.cli.login.LoginOptions;
import io.kasane.cli.output.JsonOption;
import io.kasane.cli.output.TextTable;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane doctor}: is this machine fit for a node? */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "With --host: asks a node of any cluster how it is, and says what to change: versions, disks,"
          + " quotas, settings that do not go with tiers, engines, other nodes.",
      "With --fast and --slow, on the machine of a node of any cluster, running or not: checks"
          + " Java, limits and these directories and disks.",
      "Else checks the same, and ports, for the first node of a cluster of 'kasane up'.",
      "Ends with 1 if any line says FAIL."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DirOption dir;
  @Mixin private JsonOption json;
  @Mixin private LoginOptions login;

  @ArgGroup(exclusive = false)
  private Disks disks;

  /** Two directories that only make sense together. */
  static final class Disks {
    @Option(
        names = "--fast",
        paramLabel = "DIR",
        required = true,
        description = "The fast directory you mean to use. Goes with --slow.")
    private Path fast;

    @Option(
        names = "--slow",
        paramLabel = "DIR",
        required = true,
        description = "The slow directory you mean to use.")
    private Path slow;
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Finding> findings = findings();
    if (json.isWanted()) {
      JsonOption.print(out, findings);
      return failed(findings) ? 1 : 0;
    }
    TextTable table = new TextTable();
    findings.forEach(
        finding -> table.row(finding.level().toString(), finding.subject(), finding.text()));
    out.print(table);
    out.flush();
    return failed(findings) ? 1 : 0;
  }

  private static boolean failed(List<Finding> findings) {
    return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.FAIL);
  }

  private List<Finding> findings() {
    if (login.isHostNamed()) {
      try (CqlSession session = login.openCluster()) {
        return Doctor.examine(session, login.address(), login.port());
      }
    }
    return disks == null
        ? Doctor.examine(cluster().node(1))
        : Doctor.examine(disks.fast, disks.slow);
  }

  private LocalCluster cluster() {
    Distribution distribution = Distribution.locate();
    return LocalCluster.open(distribution, dir.path())
        .orElseGet(() -> LocalCluster.builder(distribution, dir.path()).build());
  }
}
