/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.ramp.cql.RampSession;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What examples have in common: a cluster, a keyspace, and plain CQL to run beside. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class Example implements Callable<Integer> {
  /** The keyspace of all examples. */
  static final String KEYSPACE = "kasane_examples";

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Option(
      names = "--contact",
      paramLabel = "HOST:PORT",
      description = "Run on the cluster of this node, in the keyspace " + KEYSPACE + ".")
  private String contact;

  @Option(
      names = "--datacenter",
      paramLabel = "DC",
      defaultValue = "datacenter1",
      description = "The data centre of that node (default: ${DEFAULT-VALUE}).")
  private String dataCentre;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Without --contact: the nodes of the local cluster (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "How long each side runs (default: ${DEFAULT-VALUE}).")
  private int seconds;

  /** Says in a line what is written and read. */
  abstract String what();

  /** The work with transactions. */
  abstract Contest transactions(RampSession session);

  /** The same work with plain tables and LOGGED BATCH. */
  abstract Contest batches(CqlSession cql);

  /** Runs an example and ends the process: with 1 if transactions showed a half. */
  static void run(Example example, String[] args) {
    CommandLine line = new CommandLine(example);
    line.setCommandName("examples/run " + example.getClass().getSimpleName());
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (failure instanceof NodeException) {
            command.getErr().println(failure.getMessage());
          } else {
            failure.printStackTrace(command.getErr());
          }
          return CommandLine.ExitCode.SOFTWARE;
        });
    System.exit(line.execute(args));
  }

  @Override
  public Integer call() throws Exception {
    System.out.println(what());
    if (contact != null) {
      int colon = contact.lastIndexOf(':');
      if (colon < 1 || !contact.substring(colon + 1).matches("\\d{1,5}")) {
        throw new NodeException("--contact: '" + contact + "' is not like 127.0.0.1:9042");
      }
      String host = contact.substring(0, colon);
      return race(host, Integer.parseInt(contact.substring(colon + 1)), 1);
    }
    Path dir = Files.createTempDirectory("kasane-example");
    LocalCluster cluster =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .nodes(nodes)
            .each(node -> node.withKasane(false).heap("512m"))
            .build();
    Thread cleaner = new Thread(() -> cleanUp(cluster, dir), "example-clean-up");
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      System.out.println("Starting stock Cassandra, nodes: " + nodes + " ...");
      NodeSettings first = cluster.start().node(1).settings();
      return race(first.address(), first.nativePort(), nodes);
    } finally {
      if (Runtime.getRuntime().removeShutdownHook(cleaner)) {
        cleanUp(cluster, dir);
      }
    }
  }

  private static void cleanUp(LocalCluster cluster, Path dir) {
    cluster.kill9();
    DirectoryUse.delete(dir);
  }

  private int race(String host, int port, int replicas) throws InterruptedException {
    Duration time = Duration.ofSeconds(seconds);
    System.out.println("Writing and reading for " + 2 * seconds + " s ...");
    try (CqlSession cql = connect(host, port, dataCentre)) {
      createKeyspace(cql, dataCentre, replicas);
      Race.Score stock = Race.run(batches(cql), time);
      try (RampSession session = RampSession.open(cql, KEYSPACE)) {
        Race.Score ramp = Race.run(transactions(session), time);
        Race.print(System.out, stock, ramp);
        return ramp.halves() == 0 ? 0 : 1;
      }
    }
  }

  static void createKeyspace(CqlSession cql, String dataCentre, int replicas) {
    cql.execute(
        "CREATE KEYSPACE IF NOT EXISTS %s WITH replication = {'class': '%s', '%s': %d}"
            .formatted(KEYSPACE, "NetworkTopologyStrategy", dataCentre, replicas));
  }

  /** A session with patience for nodes that share a machine with all the rest. */
  static CqlSession connect(String host, int port, String dataCentre) {
    return CqlSession.builder()
        .addContactPoint(new InetSocketAddress(host, port))
        .withLocalDatacenter(dataCentre)
        .withConfigLoader(
            DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
                .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "QUORUM")
                .build())
        .build();
  }
}
