/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.node.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.node.FilesBelow;
import io.kasane.node.LocalNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;

/**
 * What one table has on a node's two disks, told by the file system and by stock sstabledump in a
 * process of its own: nothing here asks Kasane.
 */
final class TableFiles {
  private static final String NODETOOL = "org.apache.cassandra.tools.NodeTool";

  private final LocalNode node;
  private final String table;

  TableFiles(LocalNode node, String table) {
    this.node = node;
    this.table = table;
  }

  /** The live Data.db files on the fast disk. */
  Set<Path> fast() {
    return sstables(node.settings().fast());
  }

  /** The live Data.db files on the slow disk. */
  Set<Path> slow() {
    return sstables(node.settings().slow());
  }

  private Set<Path> sstables(Path root) {
    return filesBelow(root).stream()
        .filter(file -> file.getFileName().toString().endsWith("-Data.db"))
        .filter(file -> root.relativize(file).getNameCount() == 3)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** All files of the table below a data directory: components, indexes, snapshots, logs. */
  Set<Path> filesBelow(Path root) {
    Path keyspace = root.resolve(Tiered.KEYSPACE);
    return FilesBelow.of(keyspace).stream()
        .filter(file -> keyspace.relativize(file).getName(0).toString().startsWith(table + "-"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Waits until no file belongs to an unfinished flush or compaction or waits for deletion. */
  TableFiles settled() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(
                        Stream.of(node.settings().fast(), node.settings().slow())
                            .flatMap(root -> filesBelow(root).stream())
                            .filter(file -> file.toString().contains("_txn_")))
                    .isEmpty());
    return this;
  }

  /**
   * The partition keys on each disk; one that is in several SSTables comes several times.
   *
   * @param fast keys on the fast disk
   * @param slow keys on the slow disk
   */
  record Keys(List<String> fast, List<String> slow) {
    /** The keys on both disks. */
    List<String> all() {
      return Stream.of(fast, slow).flatMap(List::stream).toList();
    }
  }

  /** Reads the keys out of the live SSTables. */
  Keys keys() {
    return keysWithout(Set.of());
  }

  /** The same, but for some SSTables. */
  Keys keysWithout(Set<Path> some) {
    List<Path> onFast = fast().stream().filter(file -> !some.contains(file)).toList();
    List<Path> onSlow = slow().stream().filter(file -> !some.contains(file)).toList();
    List<Path> dataFiles = Stream.of(onFast, onSlow).flatMap(List::stream).toList();
    List<List<String>> dumps =
        dump(DumpEach.KEYS, dataFiles).stream().map(TableFiles::keysOf).toList();
    return new Keys(
        dumps.subList(0, onFast.size()).stream().flatMap(List::stream).toList(),
        dumps.subList(onFast.size(), dumps.size()).stream().flatMap(List::stream).toList());
  }

  /** How many rows in the live SSTables are deleted or expired, in whole or in part. */
  long deadRows() {
    List<Path> dataFiles = Stream.of(fast(), slow()).flatMap(Set::stream).toList();
    return dump(DumpEach.ROWS, dataFiles).stream()
        .flatMap(dump -> StreamSupport.stream(dump.spliterator(), false))
        .flatMap(partition -> StreamSupport.stream(partition.path("rows").spliterator(), false))
        .filter(
            row ->
                row.findValue("deletion_info") != null
                    || row.findValues("expired").stream().anyMatch(JsonNode::asBoolean))
        .count();
  }

  private List<JsonNode> dump(String option, List<Path> dataFiles) {
    List<String> nodetool = node.nodetoolProcess(List.of()).command();
    List<String> command = new ArrayList<>(nodetool.subList(0, nodetool.indexOf(NODETOOL)));
    int classPath = command.size() - 1;
    command.set(classPath, command.get(classPath) + File.pathSeparator + ownClasses());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Djava.security.manager=allow",
            "-Dorg.apache.cassandra.disable_mbean_registration=true"));
    command.add(DumpEach.class.getName());
    command.add(option);
    dataFiles.forEach(file -> command.add(file.toString()));
    try {
      Path errors = Files.createTempFile("sstabledump", ".err");
      try {
        Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        assertThat(status).as("sstabledump %s: %s", dataFiles, Files.readString(errors)).isZero();
        return parse(out);
      } finally {
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String ownClasses() {
    return DumpEach.class.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /** The tool prints a list for each SSTable. */
  private static List<JsonNode> parse(String json) throws IOException {
    List<JsonNode> dumps = new ArrayList<>();
    try (JsonParser parser = new ObjectMapper().createParser(json)) {
      while (parser.nextToken() != null) {
        dumps.add(parser.readValueAsTree());
      }
    }
    return dumps;
  }

  /** Each key is a list of its columns. */
  private static List<String> keysOf(JsonNode dump) {
    List<String> keys = new ArrayList<>();
    for (JsonNode key : dump) {
      List<String> columns = new ArrayList<>();
      key.forEach(column -> columns.add(column.asText()));
      keys.add(String.join(":", columns));
    }
    return keys;
  }
}
