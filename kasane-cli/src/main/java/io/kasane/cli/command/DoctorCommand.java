/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.cli.doctor.Doctor;
import io.kasane.cli.doctor.Finding;
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
    description = {
      "Checks Java, limits, directories, disks and ports for the first node of a cluster, and says"
          + " what to change.",
      "Ends with 1 if any line says FAIL."
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DirOption dir;

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
    List<Finding> findings = Doctor.examine(cluster().node(1));
    TextTable table = new TextTable();
    findings.forEach(
        finding -> table.row(finding.level().toString(), finding.subject(), finding.text()));
    out.print(table);
    out.flush();
    boolean failed = findings.stream().anyMatch(finding -> finding.level() == Finding.Level.FAIL);
    return failed ? 1 : 0;
  }

  private LocalCluster cluster() {
    Distribution distribution = Distribution.locate();
    if (disks != null) {
      return LocalCluster.builder(distribution, dir.path())
          .each(settings -> settings.fast(disks.fast).slow(disks.slow))
          .build();
    }
    return LocalCluster.open(distribution, dir.path())
        .orElseGet(() -> LocalCluster.builder(distribution, dir.path()).build());
  }
}
