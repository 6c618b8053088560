/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.cli.login.LoginOptions;
import io.kasane.cli.output.JsonOption;
import io.kasane.cli.output.TextTable;
import io.kasane.node.LocalCluster;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.NodeStatus;
import io.kasane.node.Sessions;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.ReplicaView;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code kasane status}: what runs, and where its data are. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "With --host: shows what one node of any cluster tells of itself: versions, each table's"
          + " bytes on the fast disk, its quota and the share of reads that fast served, storage"
          + " engines, and the other nodes as it sees them. Ends with 0 unless an engine or a node"
          + " is down.",
      "",
      "Else of the cluster that 'kasane up' started in --dir: shows each node: process, uptime, state, and bytes in its fast and slow"
          + " directory; of its storage engines, how they stand; and, where there are several racks, whether"
          + " each row has its replicas on racks and servers of their own.",
      "Ends with 0 when every node serves, else with 1."
    })
public final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DirOption dir;
  @Mixin private JsonOption json;
  @Mixin private LoginOptions login;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (login.isHostNamed()) {
      return node(out);
    }
    LocalCluster cluster = dir.open();
    List<NodeStatus> nodes = cluster.status();
    if (json.isWanted()) {
      JsonOption.print(out, nodes.stream().map(StatusCommand::report).toList());
      return nodes.stream().allMatch(NodeStatus::ready) ? 0 : 1;
    }
    TextTable table =
        new TextTable("NODE", "ADDRESS", "STATE", "PID", "UPTIME", "CQL", "TIER", "USED", "PATH");
    for (NodeStatus node : nodes) {
      table.row(
          node.settings().index() + (node.settings().kasane() ? "" : " (stock)"),
          node.settings().address() + ":" + node.settings().nativePort(),
          state(node),
          node.pid().map(String::valueOf).orElse("-"),
          node.uptime().map(StatusCommand::uptime).orElse("-"),
          node.cqlAnswers() ? "answers" : "-",
          "fast",
          node.fastBytes().human(),
          node.settings().fast().toString());
      table.row(
          "",
          "",
          "",
          "",
          "",
          "",
          "slow",
          node.slowBytes().human(),
          node.settings().slow().toString());
    }
    out.print(table);
    printEngines(out, nodes);
    printRing(out, nodes);
    out.flush();
    return nodes.stream().allMatch(NodeStatus::ready) ? 0 : 1;
  }

  private int node(PrintWriter out) {
    NodeOverview node;
    try (CqlSession session = login.openNode()) {
      node = NodeOverview.of(session, login.address(), login.port());
    }
    if (json.isWanted()) {
      JsonOption.print(out, node);
    } else {
      out.print(NodeText.of(node));
      out.flush();
    }
    boolean isWell =
        node.engines().stream().allMatch(one -> one.takesWrites() && one.answersReads())
            && node.replicas().stream().allMatch(ReplicaView::isUp);
    return isWell ? 0 : 1;
  }

  private static Map<String, Object> report(NodeStatus node) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("node", node.settings().index());
    report.put("address", node.settings().address());
    report.put("port", node.settings().nativePort());
    report.put("has_kasane", node.settings().kasane());
    report.put("state", state(node));
    report.put("pid", node.pid());
    report.put("uptime_seconds", node.uptime().map(Duration::toSeconds));
    report.put("cql_answers", node.cqlAnswers());
    report.put("fast_directory", node.settings().fast().toString());
    report.put("fast_bytes", node.fastBytes().bytes());
    report.put("slow_directory", node.settings().slow().toString());
    report.put("slow_bytes", node.slowBytes().bytes());
    return report;
  }

  /** Of nodes that have none, nothing is printed and nothing is asked. */
  private static void printEngines(PrintWriter out, List<NodeStatus> nodes) {
    EngineStatus engines = new EngineStatus();
    for (NodeStatus node : nodes) {
      if (node.settings().hasEngines() && node.cqlAnswers()) {
        engines.ask(node.settings());
      }
    }
    if (!engines.isEmpty()) {
      out.println();
      out.print(engines);
    }
  }

  /** Of one rack there is nothing to say. */
  private static void printRing(PrintWriter out, List<NodeStatus> nodes) {
    Optional<NodeStatus> first = nodes.stream().filter(NodeStatus::cqlAnswers).findFirst();
    if (first.isPresent() && nodes.stream().anyMatch(node -> node.settings().rack().isPresent())) {
      NodeSettings settings = first.get().settings();
      try (CqlSession session = Sessions.openWithRing(settings.address(), settings.nativePort())) {
        RingStatus ring = RingStatus.of(session);
        if (!ring.isEmpty()) {
          out.println();
          out.print(ring);
        }
      } catch (NodeException | DriverException e) {
        out.println("The ring cannot be looked at: " + e.getMessage());
      }
    }
  }

  private static String state(NodeStatus node) {
    if (node.pid().isEmpty()) {
      return "down";
    }
    return node.mode().equals("-") ? "starting" : node.mode();
  }

  private static String uptime(Duration uptime) {
    return uptime.toHours() > 0
        ? uptime.toHours() + "h" + uptime.toMinutesPart() + "m"
        : uptime.toMinutesPart() + "m" + uptime.toSecondsPart() + "s";
  }
}
