/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.doctor;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeSettings;
import io.kasane.node.Ports;
import io.kasane.node.Sessions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs every check for one node. */
public final class Doctor {
  private static final String KINDS = "kinds";

  private Doctor() {}

  /**
   * Looks at the machine and the disks that a node has or is to have. Its ports are Cassandra's
   * matter.
   */
  public static List<Finding> examine(Path fast, Path slow) {
    List<Finding> findings = new ArrayList<>(MachineChecks.here().run());
    findings.addAll(new DirectoryChecks(fast, slow).run());
    return findings;
  }

  /** Looks at the machine for a node; one that already runs may hold its own ports. */
  public static List<Finding> examine(LocalNode node) {
    NodeSettings settings = node.settings();
    List<Finding> findings = new ArrayList<>(examine(settings.fast(), settings.slow()));
    if (settings.hasEngines()) {
      findings.addAll(DirectoryChecks.ofEngines(settings.engineDirectory()));
    }
    findings.add(ports(node));
    if (settings.kasane() && node.isAlive()) {
      findings.addAll(
          ask(settings, HeatChecks.SUBJECT, session -> HeatChecks.ask(session, settings)));
      if (settings.kasaneYaml().containsKey(KINDS)) {
        findings.addAll(ask(settings, KindChecks.SUBJECT, KindChecks::ask));
      }
    }
    return findings;
  }

  /** Looks at a node of any cluster, as far as it tells over CQL. */
  public static List<Finding> examine(CqlSession session, String host, int port) {
    return NodeChecks.of(NodeFacts.of(session, host, port));
  }

  /** Asks a node that serves clients. */
  private static List<Finding> ask(
      NodeSettings node, String subject, Function<CqlSession, List<Finding>> question) {
    try (CqlSession session = Sessions.open(node.address(), node.nativePort())) {
      return question.apply(session);
    } catch (NodeException | DriverException e) {
      return List.of(Finding.warn(subject, "the node does not tell: " + e.getMessage()));
    }
  }

  private static Finding ports(LocalNode node) {
    if (node.isAlive()) {
      return Finding.ok("ports", "held by this node, which runs");
    }
    List<Ports.Listener> taken = Ports.taken(node.settings());
    if (taken.isEmpty()) {
      return Finding.ok("ports", "free: " + names(Ports.of(node.settings())));
    }
    return Finding.fail(
        "ports",
        names(taken)
            + " taken by another process; 'kasane down --dir DIR' stops a node of ours, 'ss -ltnp'"
            + " names any other");
  }

  private static String names(List<Ports.Listener> listeners) {
    return listeners.stream().map(Ports.Listener::toString).collect(Collectors.joining(", "));
  }
}
