/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.load.Loader;
import io.kasane.bench.load.Table;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Loaded nodes, stopped, from which each run starts: all rows in one SSTable on the slow disk, or
 * the hottest ones on the fast disk already.
 *
 * <p>Nodes are prepared and run in the same directories, at the same addresses, since a node
 * remembers where its disks are and a ring its nodes' addresses.
 */
public final class Dataset {
  /** The directory that nodes run in, below the directory of work. */
  public static final String RUNNING = "cluster";

  private final NodeRoots roots;
  private final int rows;
  private final LocalCluster cluster;
  private final Consumer<String> progress;

  /**
   * Describes a data set; nothing is done yet.
   *
   * @param roots where nodes and templates lie
   * @param nodes how many nodes there are, each with a replica of every row
   */
  public Dataset(
      Distribution distribution, NodeRoots roots, int rows, int nodes, Consumer<String> progress) {
    this.roots = roots;
    this.rows = rows;
    this.cluster =
        LocalCluster.builder(distribution, roots.place(RUNNING).directory())
            .nodes(nodes)
            .isolated()
            .each(node -> node.kasaneYaml("key_lists_directory", roots.work().toString()))
            .build();
    this.progress = progress;
  }

  /** Returns how many rows there are. */
  public int rows() {
    return rows;
  }

  /** Returns what the rows take on disk, in bytes. */
  public long bytes() throws IOException, InterruptedException {
    return DirectoryUse.of(unplaced().node(1).slow()).bytes();
  }

  /** The nodes, with no settings but their places. */
  LocalCluster cluster() {
    return cluster;
  }

  /** Returns where they run. */
  NodePlace place() {
    return roots.place(RUNNING);
  }

  /** Whether the SSTables that hold all rows at first are all still there. */
  boolean isUntouched() throws IOException, InterruptedException {
    Path before = unplaced().onSlow();
    for (Path file : dataFiles(before)) {
      Path relative = before.relativize(file);
      if (!Files.exists(place().onSlow().resolve(relative))
          && !Files.exists(place().onFast().resolve(relative))) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> dataFiles(Path below) throws IOException {
    String table = Table.KEYSPACE + File.separator + Table.NAME;
    try (Stream<Path> files = Files.walk(below)) {
      return files
          .filter(file -> file.toString().endsWith("-Data.db"))
          .filter(file -> file.getParent().toString().contains(table))
          .toList();
    }
  }

  /** Fills the nodes' directories with all rows on slow. */
  void restoreUnplaced() throws IOException, InterruptedException {
    restore(unplaced());
  }

  /** Fills the nodes' directories with all rows on fast disks that hold everything. */
  void restoreOnFast() throws IOException, InterruptedException {
    restore(unplaced());
    for (LocalNode node : cluster.nodes()) {
      int number = node.settings().index();
      NodePlace place = place().node(number);
      if (!place.slowOnFast().equals(place.slow())) {
        DirectoryCopy.copy(unplaced().node(number).slow(), place.slowOnFast());
      }
    }
  }

  private NodePlace unplaced() throws IOException, InterruptedException {
    NodePlace template = roots.place("unplaced");
    if (!Files.exists(template.directory())) {
      load(template);
    }
    return template;
  }

  /** Fills the nodes' directories with the listed rows on fast and the others on slow. */
  void restorePlaced(Path keyList, Contestant oracle) throws IOException, InterruptedException {
    NodePlace template = roots.place("placed-" + keyList.getFileName());
    if (!Files.exists(template.directory())) {
      place(template, oracle);
    }
    restore(template);
  }

  private void restore(NodePlace template) throws IOException {
    clear();
    List<Path> from = template.parts();
    List<Path> to = place().parts();
    for (int i = 0; i < from.size(); i++) {
      DirectoryCopy.copy(from.get(i), to.get(i));
    }
  }

  private void keepAs(NodePlace template) throws IOException {
    List<Path> from = place().parts();
    List<Path> to = template.parts();
    for (int i = 0; i < from.size(); i++) {
      Files.move(from.get(i), to.get(i));
    }
  }

  void clear() {
    place().parts().forEach(DirectoryUse::delete);
  }

  /** Writes the keys of rows as the listed policy reads them. */
  Path keyList(String name, int[] listed) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int row : listed) {
      lines.add(HexFormat.of().formatHex(Table.key(row).getBytes(StandardCharsets.US_ASCII)));
    }
    Files.createDirectories(roots.work());
    return Files.write(roots.work().resolve(name), lines);
  }

  private LocalCluster unhurried(boolean kasane) {
    return cluster
        .with(node -> NodeSetup.unhurried(node, place().node(node.build().index()), kasane))
        .start();
  }

  private void load(NodePlace template) throws IOException, InterruptedException {
    clear();
    Files.createDirectories(roots.work());
    try (LocalCluster nodes = unhurried(false);
        CqlSession session = nodes.connect()) {
      session.execute(
          "CREATE KEYSPACE "
              + Table.KEYSPACE
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
              + nodes.nodes().size()
              + "}");
      session.execute(Table.create());
      Loader.load(
          session, rows, done -> progress.accept("loading rows: %,d of %,d".formatted(done, rows)));
      compact(nodes);
    }
    keepAs(template);
  }

  private void place(NodePlace template, Contestant oracle)
      throws IOException, InterruptedException {
    progress.accept("placing the hottest rows");
    restoreUnplaced();
    try (LocalCluster nodes = unhurried(true);
        CqlSession session = nodes.connect()) {
      session.execute(oracle.alterTable(Table.QUALIFIED));
      compact(nodes);
    }
    keepAs(template);
  }

  private void compact(LocalCluster nodes) throws IOException {
    for (LocalNode node : nodes.nodes()) {
      progress.accept("compacting node " + node.settings().index());
      try (NodeJmx jmx = node.jmx()) {
        jmx.flush(Table.KEYSPACE, Table.NAME);
        jmx.invoke(
            "org.apache.cassandra.db:type=StorageService",
            "forceKeyspaceCompaction",
            List.of(boolean.class, String.class, String[].class),
            false,
            Table.KEYSPACE,
            new String[] {Table.NAME});
      }
    }
  }
}
