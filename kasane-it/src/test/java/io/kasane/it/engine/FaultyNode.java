/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/**
 * A node whose memtables are called {@code default}, without an engine, and {@code faulty}: LMDB
 * with the fault that a file says.
 */
final class FaultyNode implements AutoCloseable {
  private final Path dir;
  private final Path faults;
  private final List<LocalNode> nodes;
  private CqlSession session;

  private FaultyNode(Path dir, List<LocalNode> nodes) {
    this.dir = dir;
    this.faults = faults(dir);
    this.nodes = nodes;
  }

  /** Starts it, with the keyspace. */
  static FaultyNode start(Path dir, Consumer<NodeSettings.Builder> change) throws IOException {
    return start(dir, 1, change);
  }

  /** Starts it with others, whose engines have no fault; the keyspace has a replica on each. */
  static FaultyNode start(Path dir, int nodes, Consumer<NodeSettings.Builder> change)
      throws IOException {
    AtomicInteger made = new AtomicInteger();
    LocalCluster cluster =
        LocalCluster.builder(
                EngineNodes.distribution(dir.resolve("dist"), jar -> true, EngineNodes.faultyJar()),
                dir.resolve("nodes"))
            .isolated()
            .nodes(nodes)
            .each(
                settings -> {
                  EngineNodes.memtables(settings, Map.of("default", "", "faulty", "faulty"));
                  settings.heap("700m");
                  if (made.getAndIncrement() == 0) {
                    settings.jvmFlag("-Dkasane.fault_file=" + faults(dir));
                  }
                  change.accept(settings);
                })
            .build();
    FaultyNode started = new FaultyNode(dir, cluster.nodes());
    try {
      cluster.start();
      started.session = started.node().connect();
      EngineNodes.createKeyspace(started.session, nodes);
      return started;
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
  }

  /** Waits for an engine less long than operators would; gives back what it got. */
  static NodeSettings.Builder impatient(NodeSettings.Builder settings) {
    return settings
        .jvmFlag("-Dkasane.engine_patience_millis=1000")
        .jvmFlag("-Dkasane.engine_longest_wait_millis=3000")
        .jvmFlag("-Dkasane.engine_longest_read_millis=2000");
  }

  private static Path faults(Path dir) {
    return dir.resolve("fault");
  }

  LocalNode node() {
    return nodes.get(0);
  }

  /** It, and the others. */
  List<LocalNode> nodes() {
    return nodes;
  }

  CqlSession session() {
    return session;
  }

  /** What the engine does from now on; see its class for the words. */
  void fault(String word) throws IOException {
    Path fresh = dir.resolve("fault.new");
    Files.writeString(fresh, word);
    Files.move(fresh, faults, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  void heal() throws IOException {
    Files.deleteIfExists(faults);
  }

  /** Waits until the engine takes writes and answers reads. */
  void awaitWorking() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> engine().getBoolean("takes_writes") && engine().getBoolean("answers_reads"));
  }

  /** How often the engine as a whole was found not to work. */
  long failures() {
    return engine().getLong("failures");
  }

  /** What the node says of the engine. */
  Row engine() {
    return session().execute("SELECT * FROM kasane_views.engines WHERE engine = 'faulty'").one();
  }

  /** After its process has ended: without a fault. */
  void startAgain() throws IOException {
    heal();
    session.closeAsync(); // in the background: the driver takes its time
    session = node().start().waitUntilReady().connect();
  }

  @Override
  public void close() {
    if (session != null) {
      session.closeAsync();
    }
    nodes.forEach(LocalNode::kill9);
  }
}
