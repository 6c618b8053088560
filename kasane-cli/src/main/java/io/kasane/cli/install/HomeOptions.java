/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which Cassandra, and whether it is only looked at. */
final class HomeOptions {
  @Option(
      names = "--cassandra-home",
      paramLabel = "DIR",
      required = true,
      description =
          "Where Cassandra was unpacked; /usr/share/cassandra of packages, /opt/cassandra of the"
              + " container image.")
  private Path home;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "Where cassandra.yaml is (default: conf in it, else /etc/cassandra/conf, /etc/cassandra).")
  private Optional<Path> conf = Optional.empty();

  @Option(names = "--dry-run", description = "Prints what would change, and changes nothing.")
  private boolean dryRun;

  CassandraHome find() {
    return CassandraHome.of(home, conf);
  }

  /** Prints a plan and, unless it is a dry run, carries it out. */
  int carryOut(Plan plan, PrintWriter out, String done, String next) {
    if (plan.isDone()) {
      out.println(done + " Nothing to change.");
    } else {
      out.print(plan.shown());
      if (dryRun) {
        out.println("Nothing was changed.");
      } else {
        plan.run();
        out.println(done);
        out.println(next);
      }
    }
    out.flush();
    return 0;
  }
}
