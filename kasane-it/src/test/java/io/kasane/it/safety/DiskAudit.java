/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Compares the files of a running node with the SSTables it holds live: every file must be a
 * component of a complete, live SSTable, and only tables with heat tiers may have any on fast.
 */
final class DiskAudit {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final NodeSettings settings;
  private final Set<String> tiered;

  /**
   * @param tiered names ({@code keyspace.table}) of the tables that may have SSTables on fast
   */
  DiskAudit(NodeSettings settings, Set<String> tiered) {
    this.settings = settings;
    this.tiered = Set.copyOf(tiered);
  }

  /**
   * Waits until compactions have come to rest and the files are as they should be.
   *
   * @throws AssertionError with what is wrong, if it stays wrong
   */
  void requireClean(LocalNode node) {
    Instant deadline = Instant.now().plus(PATIENCE);
    try (NodeJmx jmx = node.jmx()) {
      while (true) {
        List<String> problems = problems(jmx);
        if (problems.isEmpty()) {
          return;
        }
        if (Instant.now().isAfter(deadline)) {
          throw new AssertionError("files out of order:\n  " + String.join("\n  ", problems));
        }
        sleep();
      }
    } catch (IOException e) {
      throw new NodeException("JMX failed: " + e.getMessage(), e);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("Interrupted", e);
    }
  }

  private List<String> problems(NodeJmx jmx) throws IOException {
    List<String> problems = new ArrayList<>();
    Map<String, Integer> dataFiles = new TreeMap<>();
    for (Path root : List.of(settings.slow(), settings.fast())) {
      try {
        for (Path directory : tableDirectories(root)) {
          audit(root, directory, dataFiles, problems);
        }
      } catch (NoSuchFileException e) {
        problems.add("vanished meanwhile: " + e.getMessage());
      }
    }
    for (Map.Entry<String, Integer> table : dataFiles.entrySet()) {
      String[] name = table.getKey().split("\\.", 2);
      Object live =
          jmx.attribute(
              "org.apache.cassandra.metrics:type=Table,keyspace="
                  + name[0]
                  + ",scope="
                  + name[1]
                  + ",name=LiveSSTableCount",
              "Value");
      if (!table.getValue().equals(live)) {
        problems.add(table.getKey() + ": " + table.getValue() + " data files, live " + live);
      }
    }
    return problems;
  }

  private static List<Path> tableDirectories(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path keyspace : list(root)) {
      if (Files.isDirectory(keyspace)) {
        list(keyspace).stream()
            .filter(directory -> directory.getFileName().toString().matches(".+-[0-9a-f]{32}"))
            .forEach(found::add);
      }
    }
    return found;
  }

  private void audit(
      Path root, Path directory, Map<String, Integer> dataFiles, List<String> problems)
      throws IOException {
    String table = tableOf(directory);
    Map<String, Set<String>> components = new HashMap<>();
    for (Path file : list(directory)) {
      if (Files.isDirectory(file)) {
        continue; // snapshots, backups
      }
      String name = file.getFileName().toString();
      int dash = name.lastIndexOf('-');
      if (name.contains("_txn_") || name.endsWith(".tmp") || dash < 0) {
        problems.add("left over: " + file);
      } else {
        components
            .computeIfAbsent(name.substring(0, dash), id -> new HashSet<>())
            .add(name.substring(dash + 1));
      }
    }
    dataFiles.merge(table, 0, Integer::sum);
    for (Map.Entry<String, Set<String>> sstable : components.entrySet()) {
      Path toc = directory.resolve(sstable.getKey() + "-TOC.txt");
      Set<String> listed = Files.exists(toc) ? new TreeSet<>(Files.readAllLines(toc)) : Set.of();
      if (!listed.equals(new TreeSet<>(sstable.getValue()))) {
        problems.add(
            directory + "/" + sstable.getKey() + " has " + sstable.getValue() + ", TOC " + listed);
      }
      dataFiles.merge(table, sstable.getValue().contains("Data.db") ? 1 : 0, Integer::sum);
      if (root.equals(settings.fast()) && !tiered.contains(table)) {
        problems.add(table + " must not be on fast: " + directory + "/" + sstable.getKey());
      }
    }
  }

  private static String tableOf(Path directory) {
    String name = directory.getFileName().toString();
    return directory.getParent().getFileName() + "." + name.substring(0, name.lastIndexOf('-'));
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
