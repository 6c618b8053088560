/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests on one node whose engine has faults: each with a table of its own in the engine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultyTables {
  static final int ROWS = 200;
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than a read may hang. */
  static final Duration SOON = Duration.ofSeconds(20);

  private FaultyNode faulty;
  private int tables;

  /** The test's own. */
  String table;

  /** How the node is to be besides impatient. */
  abstract void set(NodeSettings.Builder settings);

  @BeforeAll
  void start(@TempDir Path dir) throws IOException {
    faulty =
        FaultyNode.start(
            dir,
            settings ->
                set(
                    FaultyNode.impatient(settings)
                        .yaml("concurrent_reads", 8)
                        .yaml("auto_snapshot", false)));
    EngineNodes.createTable(session(), "other", "default");
  }

  @AfterAll
  void stop() {
    faulty.close();
  }

  @BeforeEach
  void createTable() {
    table = "t" + ++tables;
    // Refused while the engine is out: after the fault of another test, or as the disk is busy.
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(DriverException.class)
        .until(
            () -> {
              faulty.awaitWorking();
              EngineNodes.createTable(session(), table, "faulty");
              return true;
            });
  }

  @AfterEach
  void heal() throws IOException {
    faulty.heal();
  }

  FaultyNode faulty() {
    return faulty;
  }

  LocalNode node() {
    return faulty.node();
  }

  CqlSession session() {
    return faulty.session();
  }

  void fault(String word) throws IOException {
    faulty.fault(word);
  }

  void write(int from, int to) {
    EngineNodes.write(session(), table, from, to);
  }

  void flush() {
    EngineNodes.flush(node(), table);
  }

  /** A table that does not use the engine is written to, flushed and read. */
  void requireOthersGoOn() {
    CompletableFuture<Void> going =
        CompletableFuture.runAsync(
            () -> {
              EngineNodes.write(session(), "other", 0, 20);
              EngineNodes.flush(node(), "other");
              assertThat(EngineNodes.count(session(), "other")).isEqualTo(20);
            });
    assertThat(going).succeedsWithin(SOON);
  }

  void requireAll(int rows) throws IOException {
    heal();
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(DriverException.class)
        .untilAsserted(() -> assertThat(EngineNodes.count(session(), table)).isEqualTo(rows));
  }

  void requireAllMovedIn(int rows) throws IOException {
    requireAll(rows);
    Awaitility.await().atMost(PATIENCE).until(() -> EngineNodes.sstables(node(), table).isEmpty());
    assertThat(EngineNodes.count(session(), table)).isEqualTo(rows);
  }
}
