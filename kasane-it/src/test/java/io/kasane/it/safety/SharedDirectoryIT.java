/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeException;
import io.kasane.node.NodeJmx;
import io.kasane.node.NodeSettings;
import io.kasane.testkit.FilesBelow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes whose settings name one directory: the second one is refused, and harms nothing. */
@Tag("node")
class SharedDirectoryIT {
  private static final int ROWS = 200;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private LocalNode first;
  private LocalNode second;

  @BeforeEach
  void describe() {
    first = node("first");
    second = node("second");
  }

  private LocalNode node(String name) {
    return LocalCluster.builder(Distribution.locate(), dir.resolve(name))
        .isolated()
        .each(settings -> settings.heap("512m").engine("lsm").syncEveryWrite())
        .build()
        .node(1);
  }

  @AfterEach
  void stop() {
    first.kill9();
    second.kill9();
  }

  private void write(String table, String with) throws Exception {
    try (CqlSession session = first.connect();
        NodeJmx jmx = first.jmx()) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE k." + table + " (id int PRIMARY KEY, v text) WITH " + with);
      for (int id = 0; id < ROWS; id++) {
        session.execute("INSERT INTO k." + table + " (id, v) VALUES (?, 'v')", id);
      }
      jmx.flush("k", table);
    }
  }

  private void requireAll(LocalNode node, String table) {
    try (CqlSession session = node.connect()) {
      assertThat(session.execute("SELECT * FROM k." + table).all()).hasSize(ROWS);
    }
  }

  private void requireRefused(Consumer<NodeSettings.Builder> change, String... words) {
    assertThatThrownBy(() -> second.with(change).start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void anEnginesDirectoryIsOneNodes() throws Exception {
    first.start().waitUntilReady();
    write("in_lmdb", "memtable = 'lmdb'");
    write("in_rocksdb", "memtable = 'rocksdb'");
    String engines = first.settings().dir().resolve("engines").toString();
    Consumer<NodeSettings.Builder> shares =
        settings -> settings.kasaneYaml("engine_directory", engines);

    requireRefused(shares, engines, " belongs to another node", "Correct engine_directory");
    requireAll(first, "in_lmdb");
    requireAll(first, "in_rocksdb");
    first.stop();
    requireRefused(shares, engines, " belongs to another node", "Correct engine_directory");

    // All of a node in another place is the same node.
    Path moved = Files.move(dir.resolve("first"), dir.resolve("moved"));
    first = node("moved");
    first.start().waitUntilReady();
    requireAll(first, "in_lmdb");
    requireAll(first, "in_rocksdb");

    // A copy of it is so, too: then the process counts.
    second = node("copy");
    Path slow = Files.createDirectories(second.settings().slow());
    Files.copy(moved.resolve("node1/slow/.kasane-node"), slow.resolve(".kasane-node"));
    String there = moved.resolve("node1/engines").toString();
    requireRefused(
        settings -> settings.kasaneYaml("engine_directory", there),
        there,
        " is in use: another process has locked",
        "correct engine_directory");
    requireAll(first, "in_lmdb");
  }

  @Test
  void aFastDirectoryIsOneNodes() throws Exception {
    first.start().waitUntilReady();
    write(
        "fast",
        "compaction = {'class': 'io.kasane.tier.HeatTieredCompactionStrategy',"
            + " 'placement': 'fast-first'}");
    Path fast = first.settings().fast();
    assertThat(FilesBelow.of(fast)).anyMatch(file -> file.toString().endsWith("-Data.db"));
    requireRefused(
        settings -> settings.fast(fast), fast + " belongs to another node", "fast_directories");
    requireAll(first, "fast");

    // Once corrected, the settings leave nothing behind that asks for the other's disk.
    second.start().waitUntilReady();
    second.stop();
    requireAll(first, "fast");
    first.stop();
    first.start().waitUntilReady();
    requireAll(first, "fast");
    assertThat(first.log().errors()).isEmpty();
  }
}
