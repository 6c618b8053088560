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
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes whose settings name one directory: the second one is refused, and harms nothing. The
 * steps are those of one pair of nodes.
 */
@Tag("node")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedDirectoryIT {
  private static final int ROWS = 200;
  private static final List<String> TABLES = List.of("in_lmdb", "in_rocksdb", "fast");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path dir;

  private static LocalNode first;
  private static LocalNode second;

  @BeforeAll
  static void startTheFirst() throws Exception {
    first = node("first");
    second = node("second");
    first.start().waitUntilReady();
    try (CqlSession session = first.connect();
        NodeJmx jmx = first.jmx()) {
      session.setSchemaMetadataEnabled(false);
      session.execute(
          "CREATE KEYSPACE k WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      create(session, "in_lmdb", "memtable = 'lmdb'");
      create(session, "in_rocksdb", "memtable = 'rocksdb'");
      create(
          session,
          "fast",
          "compaction = {'class': 'io.kasane.tier.HeatTieredCompactionStrategy',"
              + " 'placement': 'fast-first'}");
      for (String table : TABLES) {
        for (int id = 0; id < ROWS; id++) {
          session.execute("INSERT INTO k." + table + " (id, v) VALUES (?, 'v')", id);
        }
        jmx.flush("k", table);
      }
    }
  }

  private static LocalNode node(String name) {
    return LocalCluster.builder(Distribution.locate(), dir.resolve(name))
        .isolated()
        .each(settings -> settings.heap("512m").engine("lsm").syncEveryWrite())
        .build()
        .node(1);
  }

  private static void create(CqlSession session, String table, String with) {
    session.execute("CREATE TABLE k." + table + " (id int PRIMARY KEY, v text) WITH " + with);
  }

  @AfterAll
  static void kill() {
    first.kill9();
    second.kill9();
  }

  private static void requireAll() {
    try (CqlSession session = first.connect()) {
      for (String table : TABLES) {
        assertThat(session.execute("SELECT * FROM k." + table).all()).as(table).hasSize(ROWS);
      }
    }
  }

  private static void requireRefused(Consumer<NodeSettings.Builder> change, String... words) {
    assertThatThrownBy(() -> second.with(change).start().waitUntilReady())
        .isInstanceOf(NodeException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  @Order(1)
  void aFastDirectoryIsOneNodes() {
    Path fast = first.settings().fast();
    assertThat(FilesBelow.of(fast)).anyMatch(file -> file.toString().endsWith("-Data.db"));
    requireRefused(
        settings -> settings.fast(fast), fast + " belongs to another node", "fast_directories");
  }

  /** It comes as far as that: nothing is left behind that asks for the other's fast disk. */
  @Test
  @Order(2)
  void anEnginesDirectoryIsOneNodes() {
    String engines = first.settings().dir().resolve("engines").toString();
    requireRefused(
        settings -> settings.kasaneYaml("engine_directory", engines),
        engines,
        " belongs to another node",
        "Correct engine_directory");
  }

  @Test
  @Order(3)
  void theNodeThatHasThemServesAll() {
    requireAll();
    assertThat(first.log().errors()).isEmpty();
  }

  /** All of a node in another place is the same node. */
  @Test
  @Order(4)
  void aNodeThatWasMovedHasItsDirectoriesStill() throws Exception {
    first.stop();
    Files.move(dir.resolve("first"), dir.resolve("moved"));
    first = node("moved");
    first.start().waitUntilReady();
    requireAll();
    assertThat(first.log().errors()).isEmpty();
  }
}
