/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.it.engine.EngineStepsIT.Step;
import io.kasane.it.tier.NodeLocal;
import io.kasane.it.tier.Tiered;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same steps, at which one of two nodes ends, while rebuilds and repairs stream to and from it:
 * both have all rows that were written to both, and none that was deleted.
 *
 * <p>{@code -Dkasane.crash.steps=13} takes all of them; {@code -Dkasane.seed=N} says which come
 * first.
 */
@Tag("node")
@Tag("long")
@Tag("pair")
class EngineStreamedStepsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int STEPS = TestRun.size("kasane.crash.steps", 1, 4);
  private static final int ROWS = TestRun.size("kasane.crash.rows", 300, 1_000);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicBoolean starts = new AtomicBoolean();
  private final AtomicInteger streams = new AtomicInteger();
  private FaultyNode faulty;
  private CompletableFuture<Void> streaming;

  @BeforeEach
  void start() throws Exception {
    faulty =
        FaultyNode.start(
            dir,
            2,
            settings ->
                settings
                    .syncEveryWrite()
                    .yaml("auto_snapshot", false)
                    .yaml("hinted_handoff_enabled", false)
                    .jvmFlag("-Dcassandra.enable_nodelocal_queries=true"));
    streaming = CompletableFuture.runAsync(this::stream);
  }

  @AfterEach
  void stop() {
    ends.set(true);
    faulty.close();
  }

  @Test
  void shouldLoseNothingAtAnyStepUnderStreams() throws Exception {
    List<Step> steps = EngineStepsIT.steps();
    for (int i = 0; i < STEPS; i++) {
      Step step = steps.get((i + 1) % steps.size()); // another one than that of EngineStepsIT
      int streamsBefore = streams.get();
      try {
        int rows = killAt(step, "t" + i);
        System.out.printf(
            "%d/%d seed %d: %,d rows on both after %s, %d streams%n",
            i + 1, STEPS, EngineStepsIT.SEED, rows, step, streams.get() - streamsBefore);
      } catch (Throwable e) {
        throw new AssertionError(
            step + " of seed " + EngineStepsIT.SEED + ", nodes in " + dir + ": " + e, e);
      }
    }
    ends.set(true);
    streaming.join();
    assertThat(streams.get()).as("rebuilds and repairs that ended well").isPositive();
  }

  /**
   * One after the other, to and from each of the nodes; a kill lets one fail. While a node starts
   * none begins: what fails as early as that nodetool may not hear of for minutes.
   */
  private void stream() {
    for (int i = 0; !ends.get(); i++) {
      LocalNode node = faulty.nodes().get(i % 2);
      Awaitility.await().atMost(PATIENCE).until(() -> !starts.get());
      try {
        if (i % 4 < 2) {
          nodetool(node, "rebuild", "-ks", EngineNodes.KEYSPACE);
        } else {
          nodetool(node, "repair", "--full", EngineNodes.KEYSPACE);
        }
        streams.incrementAndGet();
      } catch (RuntimeException e) {
        Thread.onSpinWait(); // it is down, or was killed meanwhile
      }
    }
  }

  /** Returns how many rows were acknowledged, and are there. */
  private int killAt(Step step, String table) throws Exception {
    Tiered.awaitAllSeeAll(faulty.nodes());
    CqlSession session = faulty.session();
    EngineNodes.createTable(session, table, step.from());
    Tiered.awaitSchema(faulty.node());
    write(session, table, 0, ROWS);
    EngineNodes.flush(faulty.node(), table);
    for (int id = 0; id < ROWS; id += 10) {
      session.execute(onBoth("DELETE FROM k." + table + " WHERE id = " + id));
    }
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(() -> write(session, table, ROWS, Integer.MAX_VALUE));
    faulty.fault("kill " + step.who() + " " + step.step());
    if (step.from().equals(step.to())) {
      CompletableFuture<Void> unused =
          CompletableFuture.runAsync(() -> EngineNodes.flush(faulty.node(), table));
    } else {
      session.execute("ALTER TABLE k." + table + " WITH memtable = '" + step.to() + "'");
    }
    Awaitility.await().atMost(PATIENCE).until(() -> !faulty.node().isAlive());
    int acknowledged = written.get();
    starts.set(true);
    faulty.startAgain();
    starts.set(false);
    Tiered.awaitAllSeeAll(faulty.nodes());
    for (LocalNode node : faulty.nodes()) {
      requireRows(node, table, acknowledged);
      awaitMoved(node, table, step.to());
      requireRows(node, table, acknowledged);
    }
    return acknowledged;
  }

  private static SimpleStatement onBoth(String statement, Object... values) {
    return SimpleStatement.newInstance(statement, values)
        .setConsistencyLevel(DefaultConsistencyLevel.ALL);
  }

  /** Returns the first id whose write was not acknowledged by both. */
  private static int write(CqlSession session, String table, int from, int to) {
    PreparedStatement insert =
        session.prepare(onBoth("INSERT INTO k." + table + " (id, c, v) VALUES (?, ?, ?)"));
    for (int id = from; id < to; id++) {
      try {
        session.execute(insert.bind(id, id % 7, "v" + id));
      } catch (DriverException e) {
        if (to < Integer.MAX_VALUE) {
          throw e;
        }
        return id;
      }
    }
    return to;
  }

  private void requireRows(LocalNode node, String table, int acknowledged) {
    BitSet seen = new BitSet();
    faulty
        .session()
        .execute(
            SimpleStatement.newInstance("SELECT id, v FROM k." + table)
                .setNode(Tiered.coordinator(faulty.session(), node))
                .setConsistencyLevel(NodeLocal.INSTANCE))
        .forEach(
            row -> {
              assertThat(row.getString("v")).isEqualTo("v" + row.getInt("id"));
              seen.set(row.getInt("id"));
            });
    seen.clear(acknowledged); // it may be there, or not
    BitSet expected = new BitSet();
    expected.set(0, acknowledged);
    for (int id = 0; id < ROWS; id += 10) {
      expected.clear(id);
    }
    assertThat(seen).as("rows on %s", node).isEqualTo(expected);
  }

  /** All is in the engine, or nothing. */
  private void awaitMoved(LocalNode node, String table, String memtable) {
    boolean isInEngine = memtable.equals(EngineStepsIT.ENGINE);
    EngineNodes.flush(node, table);
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(EngineNodes.sstables(node, table).isEmpty())
                    .as("no SSTables of %s on %s", table, node)
                    .isEqualTo(isInEngine));
  }
}
