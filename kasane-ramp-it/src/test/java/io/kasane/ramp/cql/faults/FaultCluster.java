/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import static io.kasane.testkit.StockTools.nodetool;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.RampNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Three nodes that lose nothing that they acknowledged, and what is done to them. */
final class FaultCluster {
  /** A restart replays the commit log, on a machine that has clients to serve meanwhile. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final LocalCluster cluster;

  FaultCluster(LocalCluster cluster) {
    this.cluster = cluster;
  }

  LocalNode node(int number) {
    return cluster.node(number);
  }

  List<LocalNode> nodes() {
    return cluster.nodes();
  }

  CqlSession connect() {
    return RampNodes.connect(node(1));
  }

  /** Makes a keyspace of three replicas with all tables of the load. */
  void create(String keyspace) {
    try (CqlSession cql = connect()) {
      cql.execute(
          "CREATE KEYSPACE "
              + keyspace
              + " WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
      PlainTable.create(cql, keyspace);
      try (SkewedEnvironment environment = new SkewedEnvironment(Duration.ZERO)) {
        Load unused = new Load(cql, keyspace, environment, 0);
      }
    }
  }

  void kill(int number) {
    node(number).kill9();
  }

  void restart(int number) {
    node(number).start().waitUntilReady(PATIENCE);
    cluster.waitUntilAllSeeAll();
  }

  void repair(int number, String keyspace) {
    nodetool(node(number), "repair", "--full", keyspace);
  }

  void hints(boolean on) {
    for (int number = 1; number <= 3; number++) {
      nodetool(node(number), on ? "enablehandoff" : "disablehandoff");
    }
  }

  /** Takes the disks of a node that was killed, and starts an empty one in its place. */
  void replace(int number) throws IOException {
    LocalNode dead = node(number);
    for (String name :
        List.of("fast", "slow", "engines", "commitlog", "hints", "saved_caches", "cdc_raw")) {
      delete(dead.settings().dir().resolve(name));
    }
    LoadArenas.forget(number);
    int seed = number == 1 ? 2 : 1;
    dead.with(
            settings ->
                settings
                    .yaml("auto_bootstrap", true)
                    .yaml("initial_token", null)
                    .yaml(
                        "seed_provider",
                        List.of(
                            Map.of(
                                "class_name",
                                "org.apache.cassandra.locator.SimpleSeedProvider",
                                "parameters",
                                List.of(
                                    Map.of(
                                        "seeds",
                                        node(seed).settings().address()
                                            + ":"
                                            + node(seed).settings().storagePort())))))
                    .jvmFlag("-Dcassandra.replace_address_first_boot=" + dead.settings().address()))
        .start()
        .waitUntilReady(PATIENCE);
    cluster.waitUntilAllSeeAll();
  }

  /** Writes all to disk, and keeps it under that name. */
  void snapshot(int number, String keyspace, String tag) {
    nodetool(node(number), "snapshot", "-t", tag, keyspace);
  }

  /** Stops a node in order, and starts it with what a snapshot of the keyspace holds. */
  void restore(int number, String keyspace, String tag) throws IOException {
    LocalNode node = node(number);
    nodetool(node, "drain");
    node.stop();
    for (Path data : List.of(node.settings().fast(), node.settings().slow())) {
      if (!Files.isDirectory(data.resolve(keyspace))) {
        continue;
      }
      try (var tables = Files.list(data.resolve(keyspace))) {
        for (Path table : tables.toList()) {
          restoreTable(table, tag);
        }
      }
    }
    delete(node.settings().dir().resolve("commitlog"));
    node.start().waitUntilReady(PATIENCE);
    cluster.waitUntilAllSeeAll();
  }

  private static void restoreTable(Path table, String tag) throws IOException {
    try (var files = Files.list(table)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    Path snapshot = table.resolve("snapshots").resolve(tag);
    if (!Files.isDirectory(snapshot)) {
      return;
    }
    try (var files = Files.list(snapshot)) {
      for (Path file : files.filter(each -> !isOfSnapshot(each)).toList()) {
        Files.copy(file, table.resolve(file.getFileName().toString()));
      }
    }
  }

  private static boolean isOfSnapshot(Path file) {
    String name = file.getFileName().toString();
    return name.equals("manifest.json") || name.equals("schema.cql");
  }

  /** Makes a table on all nodes what a snapshot of each holds, while all serve. */
  void importEverywhere(String keyspace, String table, String tag, Path scratch)
      throws IOException {
    try (CqlSession cql = connect()) {
      cql.execute("TRUNCATE " + keyspace + "." + table);
    }
    for (int number = 1; number <= 3; number++) {
      Path copy = Files.createDirectories(scratch.resolve("import-" + number));
      LocalNode node = node(number);
      for (Path data : List.of(node.settings().fast(), node.settings().slow())) {
        copySnapshot(data.resolve(keyspace), table, tag, copy);
      }
      nodetool(node, "import", keyspace, table, copy.toString());
    }
  }

  private static void copySnapshot(Path keyspace, String table, String tag, Path copy)
      throws IOException {
    if (!Files.isDirectory(keyspace)) {
      return;
    }
    try (var files = Files.walk(keyspace)) {
      for (Path file :
          files
              .filter(Files::isRegularFile)
              .filter(each -> each.getParent().endsWith(Path.of("snapshots", tag)))
              .filter(each -> each.toString().contains("/" + table + "-"))
              .filter(each -> !isOfSnapshot(each))
              .toList()) {
        Files.copy(file, copy.resolve(file.getFileName().toString()));
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
