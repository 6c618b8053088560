/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.install;

import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane install}: puts Kasane into an installed Cassandra. */
@Command(
    name = "install",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Puts Kasane into a Cassandra of this machine: jars into lib, the fast directory, kasane.yaml,"
          + " a line in jvm-server.options, and one in cassandra.yaml. Nothing else of these files"
          + " changes, and what they were stays beside them. Jars of an older Kasane go.",
      "It takes effect when the node is restarted. Done twice it is done once, and interrupted it is"
          + " run again."
    })
public final class InstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HomeOptions home;

  @Option(
      names = "--fast",
      paramLabel = "DIR",
      required = true,
      description = "The directory on the fast disk, of Cassandra alone. It is made if need be.")
  private Path fast;

  @Option(
      names = "--quota",
      paramLabel = "SIZE",
      description =
          "The most that all tables may keep there, such as 200GiB (default: 90 %% of it).")
  private Optional<String> quota = Optional.empty();

  @Option(
      names = "--slow",
      paramLabel = "DIR",
      description =
          "Where data are today: only for a cassandra.yaml that does not say it, of a node that"
              + " never ran, as in the making of an image.")
  private Optional<Path> slow = Optional.empty();

  @Option(names = "--engines", description = "Also the jars of storage engines, 82 MB.")
  private boolean engines;

  @Option(names = "--arena", description = "Also the jars for reads from shared memory.")
  private boolean arena;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    CassandraHome cassandra = home.find();
    Plan plan =
        new Installation(cassandra).install(jars(), fast, quota.map(InstallCommand::size), slow);
    return home.carryOut(
        plan,
        out,
        "Cassandra " + cassandra.version() + " in " + cassandra.home() + " has Kasane.",
        "Drain the node and restart it; its log says 'Kasane started'. Then the next node, and when"
            + " all have it, ALTER a table.");
  }

  private static ByteSize size(String text) {
    try {
      return ByteSize.parse(text);
    } catch (IllegalArgumentException e) {
      throw new NodeException("--quota: " + e.getMessage(), e);
    }
  }

  private List<Path> jars() {
    Path lib = Distribution.root().resolve("lib");
    List<String> parts = new ArrayList<>(List.of("kasane"));
    if (engines) {
      parts.add("engines");
    }
    if (arena) {
      parts.add("arena");
    }
    List<Path> jars = new ArrayList<>();
    for (String part : parts) {
      Path directory = lib.resolve(part);
      try (Stream<Path> files = Files.list(directory)) {
        files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
      } catch (IOException e) {
        throw new NodeException(
            "there are no jars in "
                + directory
                + (part.equals("engines")
                    ? ": unpack kasane-engines-VERSION.tar.gz over this directory"
                    : ": unpack the release again, or build it with 'mvn package'"),
            e);
      }
    }
    return jars;
  }
}
