/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.testkit.FilesBelow;
import io.kasane.testkit.StockTools;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * What one table has on a node's two disks, told by the file system and by stock sstabledump:
 * nothing here asks Kasane.
 */
final class TableFiles {
  /** The option of sstabledump for keys alone. */
  private static final String KEYS = "-e";

  /** Its option for rows with times as they are stored. */
  private static final String ROWS = "-t";

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
    List<List<String>> dumps = dump(KEYS, dataFiles).stream().map(TableFiles::keysOf).toList();
    return new Keys(
        dumps.subList(0, onFast.size()).stream().flatMap(List::stream).toList(),
        dumps.subList(onFast.size(), dumps.size()).stream().flatMap(List::stream).toList());
  }

  /** How many rows in the live SSTables are deleted or expired, in whole or in part. */
  long deadRows() {
    return dumpOfAll().stream()
        .flatMap(dump -> StreamSupport.stream(dump.spliterator(), false))
        .flatMap(partition -> StreamSupport.stream(partition.path("rows").spliterator(), false))
        .filter(
            row ->
                row.findValue("deletion_info") != null
                    || row.findValues("expired").stream().anyMatch(JsonNode::asBoolean))
        .count();
  }

  /** Of files that are live now: a compaction may end while some are being read. */
  private List<JsonNode> dumpOfAll() {
    while (true) {
      List<Path> dataFiles = Stream.of(fast(), slow()).flatMap(Set::stream).toList();
      try {
        return dump(ROWS, dataFiles);
      } catch (NodeException e) {
        if (dataFiles.stream().allMatch(Files::exists)) {
          throw e;
        }
      }
    }
  }

  private List<JsonNode> dump(String option, List<Path> dataFiles) {
    return dataFiles.stream().map(file -> dump(option, file)).toList();
  }

  private JsonNode dump(String option, Path dataFile) {
    String json = StockTools.sstabledump(node, dataFile.toString(), option);
    try {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(dataFile + ": " + json, e);
    }
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
