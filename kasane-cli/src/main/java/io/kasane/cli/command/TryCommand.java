/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.cli.login.LoginOptions;
import io.kasane.cli.login.Secrets;
import io.kasane.cli.login.TableArgument;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.node.views.KasaneViews;
import io.kasane.node.views.NodeOverview;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kasane try}: tiers for a table on one node alone, which no other node hears of. */
@Command(
    name = "try",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Gives a table tiers on this node alone, without an ALTER: the schema stays as it is, other"
          + " nodes do not hear of it, and a restart ends it. To be run on the node's own machine,"
          + " since it speaks to its JMX port. The node must have Kasane's jars and the hook.",
      "--undo takes it back. Rows on fast stay readable by any Cassandra. Windows of a table with"
          + " TimeWindowCompactionStrategy stay windows."
    })
public final class TryCommand implements Callable<Integer> {
  private static final String ATTRIBUTE = "CompactionParametersJson";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int BETWEEN_LOOKS_MILLIS = 200;

  @Spec private CommandSpec spec;

  @Mixin private TableArgument argument;

  @Option(names = "--undo", description = "Gives the table the strategy that the schema says.")
  private boolean undo;

  @Option(
      names = "--jmx-port",
      paramLabel = "PORT",
      defaultValue = "" + NodeSettings.DEFAULT_JMX_PORT,
      description = "The node's JMX port on 127.0.0.1 (default: ${DEFAULT-VALUE}).")
  private int jmxPort;

  @Option(
      names = "--jmx-username",
      paramLabel = "NAME",
      description = "As whom, where JMX asks for it.")
  private Optional<String> jmxUsername = Optional.empty();

  @Option(
      names = "--jmx-password-file",
      paramLabel = "FILE",
      description = "A file with that password (default: KASANE_JMX_PASSWORD, else asked for).")
  private Optional<Path> jmxPasswordFile = Optional.empty();

  @Mixin private LoginOptions login;

  @Override
  public Integer call() throws InterruptedException {
    argument.check();
    try (CqlSession session = login.openNode();
        NodeJmx jmx = jmx()) {
      if (NodeOverview.viewNames(session, login.address(), login.port()).isEmpty()) {
        throw new NodeException(
            "the node has no kasane_views: it runs without Kasane's jars or without the storage"
                + " hook. 'kasane install' brings both");
      }
      String bean =
          "org.apache.cassandra.db:type=Tables,keyspace="
              + argument.keyspace()
              + ",table="
              + argument.table();
      Map<String, String> schema = schema(session, argument.keyspace(), argument.table());
      if (schema.get("class").equals(TieredOptions.STRATEGY)) {
        throw new NodeException(
            argument.name()
                + " has tiers on all nodes, as the schema says; ALTER TABLE takes that back");
      }
      Map<String, String> options = undo ? schema : TieredOptions.of(schema);
      jmx.setAttribute(bean, ATTRIBUTE, json(options));
      await(
          new KasaneViews(
              session, login.address(), login.port(), argument.keyspace(), argument.table()));
      tell(schema.get("class"), TieredOptions.cql(options));
      return 0;
    } catch (IOException e) {
      throw new NodeException(
          "no answer by JMX on 127.0.0.1:"
              + jmxPort
              + " ("
              + e.getMessage()
              + "): run this on the node's own machine; see --jmx-port and --jmx-username",
          e);
    }
  }

  private NodeJmx jmx() throws IOException {
    if (jmxUsername.isEmpty()) {
      return NodeJmx.connect(jmxPort);
    }
    String user = jmxUsername.get();
    String password =
        new Secrets(System.getenv())
            .find(jmxPasswordFile, "KASANE_JMX_PASSWORD")
            .orElseGet(() -> Secrets.ask(user));
    return NodeJmx.connect(jmxPort, user, password);
  }

  private Map<String, String> schema(CqlSession session, String keyspace, String table) {
    Row row =
        session
            .execute(
                "SELECT compaction FROM system_schema.tables WHERE keyspace_name = ? AND"
                    + " table_name = ?",
                keyspace,
                table)
            .one();
    if (row == null) {
      throw new NodeException("there is no table " + argument.name());
    }
    return row.getMap(0, String.class, String.class);
  }

  private static String json(Map<String, String> options) {
    try {
      return new ObjectMapper().writeValueAsString(options);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void await(KasaneViews views) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (views.table().isPresent() == undo) {
      if (System.nanoTime() > deadline) {
        throw new NodeException(
            "the node has not taken it up within "
                + PATIENCE.toSeconds()
                + " s; its log says why. 'kasane try "
                + argument.name()
                + " --undo' takes it back");
      }
      Thread.sleep(BETWEEN_LOOKS_MILLIS);
    }
  }

  private void tell(String stock, String tiered) {
    PrintWriter out = spec.commandLine().getOut();
    if (undo) {
      out.println(argument.name() + " is compacted by " + stock + " again, as the schema says.");
      out.printf(
          "What lies on fast stays readable. 'nodetool relocatesstables %s %s' takes it to slow.%n",
          argument.keyspace(), argument.table());
    } else {
      out.println(
          argument.name()
              + " has tiers on this node alone, until it is restarted or the table altered.");
      out.printf(
          "Watch it:       kasane heat %s    share of reads from fast, now and since the start%n"
              + "                nodetool tablehistograms %s %s    latencies%n"
              + "Take it back:   kasane try %s --undo%n"
              + "For all nodes:  ALTER TABLE %s WITH compaction = %s%n",
          argument.name(),
          argument.keyspace(),
          argument.table(),
          argument.name(),
          argument.name(),
          tiered);
    }
    out.flush();
  }
}
