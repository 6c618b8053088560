/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.cli.command;

import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/** What {@code kasane up} says when the nodes are ready: how to connect and what to try. */
final class Welcome {
  private Welcome() {}

  static void print(PrintWriter out, LocalCluster cluster, Duration took, Path dir) {
    NodeSettings first = cluster.node(1).settings();
    out.printf("Ready after %.1f s.%n%n", took.toMillis() / 1000.0);
    out.printf("  contact point  %s:%d%n", first.address(), first.nativePort());
    out.printf("  CQL shell      cqlsh %s %d%n", first.address(), first.nativePort());
    for (LocalNode node : cluster.nodes()) {
      out.printf("  log, node %d    %s%n", node.settings().index(), node.log().path());
    }
    if (first.kasane()) {
      boolean hasEngines = first.yaml().containsKey("memtable");
      out.printf(
          hasEngines
              ? "%nA table in a storage engine; WITH memtable = 'lsm' is one in SSTables:%n%n"
              : "%nA table whose hot rows move to the fast directory:%n%n");
      out.println(
          String.join(
              System.lineSeparator(),
              "  CREATE KEYSPACE shop WITH replication ="
                  + " {'class': 'SimpleStrategy', 'replication_factor': "
                  + Math.min(3, cluster.nodes().size())
                  + "};",
              "  CREATE TABLE shop.items (id text PRIMARY KEY, body text)"
                  + (hasEngines
                      ? ";"
                      : System.lineSeparator()
                          + "    WITH compaction = {'class':"
                          + " 'io.kasane.tier.HeatTieredCompactionStrategy'};")));
      out.printf(
          hasEngines
              ? "%nAsk it:    SELECT * FROM kasane_views.engine_tables;%n"
              : "%nAsk it:    kasane heat shop.items%n");
    }
    String option = dir.equals(Path.of(DirOption.DEFAULT).toAbsolutePath()) ? "" : " --dir " + dir;
    out.printf("%nSee it:    kasane status%s%nStop it:   kasane down%s%n", option, option);
    out.flush();
  }
}
