/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.cli.output.TextTable;
import io.kasane.node.ByteSize;
import io.kasane.node.views.AboutNode;
import io.kasane.node.views.NodeOverview;
import io.kasane.node.views.ReplicaView;
import io.kasane.node.views.TableSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What a node tells of itself, as text. */
final class NodeText {
  private static final int BAR_WIDTH = 20;

  private NodeText() {}

  static String of(NodeOverview node) {
    StringBuilder text = new StringBuilder(about(node.about()));
    text.append(System.lineSeparator()).append(tables(node.tables()));
    EngineStatus engines = new EngineStatus();
    engines.add(node.about().address(), node.engines(), node.engineTables());
    if (!engines.isEmpty()) {
      text.append(System.lineSeparator()).append(engines);
    }
    text.append(System.lineSeparator()).append(replicas(node.replicas()));
    return text.toString();
  }

  private static String about(AboutNode about) {
    Duration running =
        Duration.between(Instant.ofEpochMilli(about.startedAtMillis()), Instant.now());
    return String.format(
        "Node %s: Kasane %s, Cassandra %s, Java %s, started %dh%02dm ago%n"
            + "Fast disk: %s, quota of all tables %s%n",
        about.address(),
        about.kasaneVersion(),
        about.cassandraVersion(),
        about.javaVersion(),
        running.toHours(),
        running.toMinutesPart(),
        about.fastDirectories().isEmpty() ? "none" : String.join(", ", about.fastDirectories()),
        about.fastQuotaBytes().isPresent()
            ? new ByteSize(about.fastQuotaBytes().getAsLong()).human()
            : "90 % of the disk");
  }

  private static String tables(List<TableSummary> tables) {
    if (tables.isEmpty()) {
      return "No table has heat tiers.\n";
    }
    TextTable text =
        new TextTable("TABLE", "MODE", "ON FAST", "OF QUOTA", "", "ON SLOW", "READS FROM FAST");
    for (TableSummary table : tables) {
      double full = (double) table.fastUsedBytes() / Math.max(1, table.fastQuotaBytes());
      text.row(
          table.table(),
          table.policy().equals("stay") ? "bad option" : table.tierMode(),
          human(table.fastUsedBytes()),
          human(table.fastQuotaBytes()),
          "#".repeat((int) Math.round(Math.min(1, full) * BAR_WIDTH)),
          human(table.slowBytes()),
          TextTable.percent(table.fastReadShare()));
    }
    return text.toString();
  }

  private static String replicas(List<ReplicaView> replicas) {
    TextTable text = new TextTable("SEES", "RACK", "STATE", "AVOIDED BY", "KEEPS HINTS");
    for (ReplicaView replica : replicas) {
      text.row(
          replica.address(),
          replica.rack(),
          replica.isUp() ? "up" : "DOWN",
          Double.toString(replica.severity()),
          replica.hintBytes() == 0
              ? "-"
              : human(replica.hintBytes()) + ", oldest " + replica.oldestHintSeconds() + " s");
    }
    return text.toString();
  }

  private static String human(long bytes) {
    return new ByteSize(Math.max(0, bytes)).human();
  }
}
