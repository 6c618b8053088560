/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.load.Loader;
import io.kasane.bench.load.Table;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * Loaded nodes, stopped, from which each run starts: all rows in one SSTable on the slow disk, or
 * the hottest ones on the fast disk already.
 *
 * <p>Nodes are prepared and run in the same directory, since a node remembers where its disks are.
 */
public final class Dataset {
  private final Distribution distribution;
  private final Path work;
  private final int rows;
  private final Consumer<String> progress;

  /**
   * Describes a data set; nothing is done yet.
   *
   * @param work a directory for nodes and templates
   */
  public Dataset(Distribution distribution, Path work, int rows, Consumer<String> progress) {
    this.distribution = distribution;
    this.work = work;
    this.rows = rows;
    this.progress = progress;
  }

  /** Returns how many rows there are. */
  public int rows() {
    return rows;
  }

  /** Returns what the rows take on disk, in bytes. */
  public long bytes() throws IOException, InterruptedException {
    return DirectoryUse.of(unplaced().resolve("slow")).bytes();
  }

  /** The directory that every node runs in. */
  Path nodeDirectory() {
    return work.resolve("node");
  }

  /** Fills the node's directory with all rows on slow. */
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

  /** Fills the node's directory with the listed rows on fast and the others on slow. */
  void restorePlaced(Path keyList, Contestant oracle) throws IOException, InterruptedException {
    Path template = work.resolve("placed-" + keyList.getFileName());
    if (!Files.exists(template)) {
      place(template, oracle);
    }
    restore(template);
  }

  private void restore(Path template) throws IOException {
    clear();
    DirectoryCopy.copy(template, nodeDirectory());
  }

  void clear() {
    DirectoryUse.delete(nodeDirectory());
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
    LocalNode node = new LocalNode(distribution, NodeSetup.unhurried(nodeDirectory(), false));
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      session.execute(
          "CREATE KEYSPACE "
              + Table.KEYSPACE
              + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute(Table.create());
      Loader.load(
          session, rows, done -> progress.accept("loading rows: %,d of %,d".formatted(done, rows)));
      compact(node);
    } finally {
      node.stop();
    }
    Files.move(nodeDirectory(), template);
  }

  private void place(Path template, Contestant oracle) throws IOException, InterruptedException {
    progress.accept("placing the hottest rows");
    restoreUnplaced();
    LocalNode node = new LocalNode(distribution, NodeSetup.unhurried(nodeDirectory(), true));
    node.start().waitUntilReady();
    try (CqlSession session = node.connect()) {
      session.execute(oracle.alterTable(Table.QUALIFIED));
      compact(node);
    } finally {
      node.stop();
    }
    Files.move(nodeDirectory(), template);
  }

  private static void compact(LocalNode node) throws IOException {
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
