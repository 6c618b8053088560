/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.cli.Kasane;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.node.views.EngineTableView;
import io.kasane.node.views.EngineView;
import io.kasane.node.views.EngineViews;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is seen of an engine that works, hangs, works again and is left; nobody who looks waits. */
@Tag("node")
class EngineViewsIT {
  private static final int ROWS = 200;
  private static final Duration MAX_TO_LOOK = Duration.ofSeconds(2);
  private static final Duration MAX_TO_COME = Duration.ofSeconds(30);
  private static final String METRICS = "org.apache.cassandra.metrics:type=Kasane,";
  private static final String OF_TABLE = METRICS + "keyspace=k,scope=t,name=";
  private static final String OF_ENGINE = METRICS + "scope=faulty,name=";

  @TempDir private Path dir;
  private FaultyNode faulty;
  private LocalNode node;
  private CqlSession session;
  private EngineViews views;

  @BeforeEach
  void start() throws IOException {
    faulty =
        FaultyNode.start(
            dir,
            settings ->
                settings
                    .jvmFlag("-Dkasane.engine_patience_millis=1000")
                    .jvmFlag("-Dkasane.engine_longest_read_millis=2000"));
    node = faulty.node();
    session = faulty.session();
    EngineNodes.createTable(session, "t", "faulty");
    session.execute("CREATE INDEX i ON k.t (v)");
    EngineNodes.createTable(session, "left", "faulty");
    views = new EngineViews(session, node.settings().address(), node.settings().nativePort());
  }

  @AfterEach
  void stop() {
    faulty.close();
  }

  private void fault(String word) throws IOException {
    faulty.fault(word);
  }

  private <T> T soon(Supplier<T> look) {
    long began = System.nanoTime();
    T seen = look.get();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(MAX_TO_LOOK);
    return seen;
  }

  private EngineView engine() {
    List<EngineView> all = soon(views::engines);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private Optional<EngineTableView> table(String name, String index) {
    return soon(views::tables).stream()
        .filter(row -> row.table().equals(name) && row.index().equals(index))
        .findFirst();
  }

  private EngineTableView table() {
    return table("t", "").orElseThrow();
  }

  private static void await(Runnable assertion) {
    Awaitility.await().atMost(MAX_TO_COME).untilAsserted(assertion::run);
  }

  private Object metric(String name) {
    try (NodeJmx jmx = node.jmx()) {
      return jmx.attribute(name, "Value");
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  private String status() {
    StringWriter out = new StringWriter();
    CommandLine command = Kasane.commandLine();
    command.setOut(new PrintWriter(out, true));
    assertThat(command.execute("status", "--dir", dir.resolve("nodes").toString())).isZero();
    return out.toString();
  }

  @Test
  void shouldShowEnginesWhateverTheyDo() throws Exception {
    EngineNodes.write(session, "t", 0, ROWS);
    EngineNodes.write(session, "left", 0, ROWS);
    EngineNodes.flush(node, "t", "left");
    showOneThatWorks();
    fault("hang");
    EngineNodes.write(session, "t", ROWS, 2 * ROWS);
    EngineNodes.flush(node, "t");
    showOneThatHangs();
    fault("");
    showOneThatWorksAgain();
    fault("throw");
    session.execute("ALTER TABLE k.left WITH memtable = 'default'");
    showOneThatIsLeft();
    // Reads that fail say so; who looks has nothing to say.
    assertThat(node.log().errors())
        .noneMatch(line -> line.contains("io.kasane.engine.view"))
        .noneMatch(line -> line.contains("kasane-engine-views"));
    assertThat(Files.readString(node.log().path()))
        .doesNotContain("Looking at the sizes of storage engines failed");
  }

  private void showOneThatWorks() {
    await(() -> assertThat(table().entries().orElse(0)).isGreaterThan(ROWS));
    EngineView engine = engine();
    assertThat(engine.engine()).isEqualTo("faulty");
    assertThat(engine.isOpen() && engine.takesWrites() && engine.answersReads()).isTrue();
    assertThat(engine.outReason()).isEmpty();
    assertThat(engine.outSeconds() + engine.failures() + engine.readers()).isZero();
    assertThat(Path.of(engine.directory())).isDirectory();
    assertThat(engine.diskBytes().orElse(0)).isPositive();
    session
        .execute("SELECT * FROM kasane_views.engines WHERE engine = 'faulty'")
        .forEach(
            row -> {
              assertThat(row.getString("durability")).isEqualTo("sync");
              assertThat(row.getLong("capacity_bytes")).isPositive();
              assertThat(row.getLong("memory_bytes")).isZero(); // as LMDB says
              assertThat(row.getLong("memory_limit_bytes")).isPositive();
            });

    for (String index : List.of("", "i")) {
      EngineTableView table = table("t", index).orElseThrow();
      assertThat(table.keyspace() + "." + table.table()).isEqualTo("k.t");
      assertThat(table.isOwn() && table.mayHaveRows()).isTrue();
      assertThat(table.bytes().orElse(0)).isPositive();
      assertThat(table.waitingSSTables()).isZero();
      assertThat(table.oldestWaitingSeconds() + table.waitingBytes() + table.failures()).isZero();
    }
    assertThat(
            session.execute(
                "SELECT * FROM kasane_views.engine_tables"
                    + " WHERE keyspace_name = 'k' AND table_name = 't'"))
        .hasSize(2);
    assertThat(session.execute("SELECT * FROM kasane_views.tables")).as("tiers").isEmpty();

    assertThat((Long) metric(OF_ENGINE + "EngineDiskBytes")).isPositive();
    assertThat(metric(OF_ENGINE + "EngineOut")).isEqualTo(0);
    assertThat(metric(OF_ENGINE + "EngineFailures")).isEqualTo(0L);
    await(() -> assertThat(metric(OF_TABLE + "WaitingSSTables")).isEqualTo(0));
    assertThat(status()).contains("faulty", "works").doesNotContain("has been out");
  }

  private void showOneThatHangs() {
    EngineView engine = engine();
    assertThat(engine.isOpen() && engine.answersReads()).isTrue();
    assertThat(engine.takesWrites()).isFalse();
    assertThat(engine.outReason().orElseThrow()).contains("a flush stood still for 1 s");
    assertThat(engine.failures()).isPositive();
    EngineTableView table = table();
    assertThat(table.entries().orElse(0)).as("as last known").isGreaterThan(ROWS);
    assertThat(table.waitingSSTables()).isPositive();
    assertThat(table.waitingBytes()).isPositive();
    // Of the table and its index.
    assertThat((Integer) metric(OF_TABLE + "WaitingSSTables")).isGreaterThan(1);
    assertThat((Long) metric(OF_TABLE + "OldestWaitingSeconds")).isNotNegative();
    assertThat(metric(OF_ENGINE + "EngineOut")).isEqualTo(1);
    assertThat(status())
        .contains("no writes", "faulty on node 1 has been out for", "a flush stood still for 1 s")
        .contains("SSTables wait to move into faulty on node 1");

    for (int id = 0; id < 64; id++) {
      session.executeAsync("SELECT * FROM k.t WHERE id = " + id);
    }
    await(() -> assertThat(engine().answersReads()).isFalse());
    assertThat(engine().readers()).isPositive();
    assertThat(engine().outReason().orElseThrow())
        .contains("reads: a read has hung", "writes: a flush stood still");
    assertThat(table().isOwn()).isTrue();
    assertThat(status()).contains("  out  ", "reads: a read has hung");
  }

  private void showOneThatWorksAgain() {
    await(
        () -> {
          EngineView engine = engine();
          assertThat(engine.takesWrites() && engine.answersReads()).isTrue();
          assertThat(engine.outReason()).isEmpty();
          EngineTableView table = table();
          assertThat(table.waitingSSTables()).isZero();
          assertThat(table.entries().orElse(0)).isGreaterThan(2 * ROWS);
        });
    assertThat(metric(OF_ENGINE + "EngineOut")).isEqualTo(0);
    assertThat(metric(OF_TABLE + "OldestWaitingSeconds")).isEqualTo(0L);
  }

  /** Its rows cannot be drained until it works; then the table is not to be seen any more. */
  private void showOneThatIsLeft() throws IOException {
    EngineTableView left = table("left", "").orElseThrow();
    assertThat(left.isOwn()).isFalse();
    assertThat(left.mayHaveRows()).isTrue();
    assertThat(left.waitingSSTables()).isZero();
    fault("");
    await(() -> assertThat(table("left", "")).isEmpty());
    assertThat(EngineNodes.count(session, "left")).isEqualTo(ROWS);
    assertThat(table().isOwn()).isTrue();
  }
}
