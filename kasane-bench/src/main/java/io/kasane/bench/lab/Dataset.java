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
  private final Path work;
  private final int rows;
  private final LocalCluster cluster;
  private final Consumer<String> progress;

  /**
   * Describes a data set; nothing is done yet.
   *
   * @param work a directory for nodes and templates
   * @param nodes how many nodes there are, each with a replica of every row
   */
  public Dataset(
      Distribution distribution, Path work, int rows, int nodes, Consumer<String> progress) {
    this.work = work;
    this.rows = rows;
    this.cluster =
        LocalCluster.builder(distribution, work.resolve("cluster")).nodes(nodes).isolated().build();
    this.progress = progress;
  }

  /** Returns how many rows there are. */
  public int rows() {
    return rows;
  }

  /** Returns what the rows take on disk, in bytes. */
  public long bytes() throws IOException, InterruptedException {
    return DirectoryUse.of(unplaced().resolve("node1/slow")).bytes();
  }

  /** The nodes, with no settings but their places. */
  LocalCluster cluster() {
    return cluster;
  }

  /** Whether the SSTables that hold all rows at first are all still there. */
  boolean isUntouched() throws IOException, InterruptedException {
    for (Path file : dataFiles(unplaced())) {
      if (!Files.exists(cluster.dir().resolve(unplaced().relativize(file)))) {
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

  private Path unplaced() throws IOException, InterruptedException {
    Path template = work.resolve("unplaced");
    if (!Files.exists(template)) {
      load(template);
    }
    return template;
  }

  /** Fills the nodes' directories with the listed rows on fast and the others on slow. */
  void restorePlaced(Path keyList, Contestant oracle) throws IOException, InterruptedException {
    Path template = work.resolve("placed-" + keyList.getFileName());
    if (!Files.exists(template)) {
      place(template, oracle);
    }
    restore(template);
  }

  private void restore(Path template) throws IOException {
    clear();
    DirectoryCopy.copy(template, cluster.dir());
  }

  void clear() {
    DirectoryUse.delete(cluster.dir());
  }

  /** Writes the keys of rows as the listed policy reads them. */
  Path keyList(String name, int[] listed) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int row : listed) {
      lines.add(HexFormat.of().formatHex(Table.key(row).getBytes(StandardCharsets.US_ASCII)));
    }
    return Files.write(work.resolve(name), lines);
  }

  private void load(Path template) throws IOException, InterruptedException {
    clear();
    Files.createDirectories(work);
    try (LocalCluster nodes = cluster.with(node -> NodeSetup.unhurried(node, false)).start();
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
    Files.move(cluster.dir(), template);
  }

  private void place(Path template, Contestant oracle) throws IOException, InterruptedException {
    progress.accept("placing the hottest rows");
    restoreUnplaced();
    try (LocalCluster nodes = cluster.with(node -> NodeSetup.unhurried(node, true)).start();
        CqlSession session = nodes.connect()) {
      session.execute(oracle.alterTable(Table.QUALIFIED));
      compact(nodes);
    }
    Files.move(cluster.dir(), template);
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
