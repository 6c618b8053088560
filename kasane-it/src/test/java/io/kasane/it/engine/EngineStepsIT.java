/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process ends at one step of a flush into an engine, of moving in, or of a drain, while the
 * table is written.
 *
 * <p>{@code -Dkasane.crash.steps=13} takes all of them, more take each again; {@code
 * -Dkasane.seed=N} says which come first.
 */
@Tag("node")
@Tag("campaign")
class EngineStepsIT {
  private static final int STEPS = TestRun.size("kasane.crash.steps", 1, 13);
  static final long SEED = TestRun.seed();
  private static final int ROWS = TestRun.size("kasane.crash.rows", 300, 1_000);
  static final String LSM = "default";
  static final String ENGINE = "faulty";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private FaultyNode faulty;

  /** A step of one of ours, in a table that goes from one memtable to another. */
  record Step(String who, String step, String from, String to) {}

  static List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (String write : List.of("apply", "sync")) {
      for (String when : List.of("before-", "after-")) {
        steps.add(new Step("FlushIntoEngine", when + write, ENGINE, ENGINE));
        steps.add(new Step("MoveIn", when + write, LSM, ENGINE));
      }
    }
    steps.add(new Step("MoveOut", "walk", ENGINE, LSM));
    for (String write : List.of("drop", "sync")) {
      steps.add(new Step("MoveOut", "before-" + write, ENGINE, LSM));
      steps.add(new Step("MoveOut", "after-" + write, ENGINE, LSM));
    }
    Collections.shuffle(steps, new Random(SEED));
    return steps;
  }

  @BeforeEach
  void start() throws Exception {
    faulty =
        FaultyNode.start(dir, settings -> settings.syncEveryWrite().yaml("auto_snapshot", false));
  }

  @AfterEach
  void stop() {
    faulty.close();
  }

  @Test
  void shouldLoseNothingAtAnyStep() throws Exception {
    List<Step> steps = steps();
    for (int i = 0; i < STEPS; i++) {
      Step step = steps.get(i % steps.size());
      try {
        int rows = killAt(step, "t" + i);
        System.out.printf("%d/%d seed %d: %,d rows after %s%n", i + 1, STEPS, SEED, rows, step);
      } catch (Throwable e) {
        throw new AssertionError(step + " of seed " + SEED + ", node in " + dir + ": " + e, e);
      }
    }
    assertThat(faulty.node().log().errors()).isEmpty();
  }

  /** Returns how many rows were acknowledged, and are there. */
  private int killAt(Step step, String table) throws Exception {
    CqlSession session = faulty.session();
    EngineNodes.createTable(session, table, step.from);
    EngineNodes.write(session, table, 0, ROWS);
    EngineNodes.flush(faulty.node(), table);
    for (int id = 0; id < ROWS; id += 10) {
      session.execute("DELETE FROM k." + table + " WHERE id = " + id);
    }
    CompletableFuture<Integer> written =
        CompletableFuture.supplyAsync(() -> writeUntilKilled(session, table));
    faulty.fault("kill " + step.who + " " + step.step);
    if (step.from.equals(step.to)) {
      CompletableFuture<Void> unused =
          CompletableFuture.runAsync(() -> EngineNodes.flush(faulty.node(), table));
    } else {
      session.execute("ALTER TABLE k." + table + " WITH memtable = '" + step.to + "'");
    }
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !faulty.node().isAlive());
    int acknowledged = written.get();
    faulty.startAgain();
    requireRows(table, acknowledged);
    awaitMoved(table, step.to);
    requireRows(table, acknowledged);
    return acknowledged;
  }

  /** Returns the first id whose write was not acknowledged. */
  private static int writeUntilKilled(CqlSession session, String table) {
    PreparedStatement insert =
        session.prepare("INSERT INTO k." + table + " (id, c, v) VALUES (?, ?, ?)");
    for (int id = ROWS; ; id++) {
      try {
        session.execute(insert.bind(id, id % 7, "v" + id));
      } catch (DriverException e) {
        return id;
      }
    }
  }

  private void requireRows(String table, int acknowledged) {
    TreeSet<Integer> seen = new TreeSet<>();
    faulty
        .session()
        .execute("SELECT id, v FROM k." + table)
        .forEach(
            row -> {
              assertThat(row.getString("v")).isEqualTo("v" + row.getInt("id"));
              seen.add(row.getInt("id"));
            });
    seen.remove(acknowledged); // it may be there, or not
    TreeSet<Integer> expected = new TreeSet<>();
    for (int id = 0; id < acknowledged; id++) {
      if (id >= ROWS || id % 10 != 0) {
        expected.add(id);
      }
    }
    assertThat(seen).isEqualTo(expected);
  }

  /** All is in the engine, or nothing. */
  private void awaitMoved(String table, String memtable) {
    EngineNodes.flush(faulty.node(), table);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(EngineNodes.mayHaveRows(faulty.session(), table))
                  .as("in the engine")
                  .isEqualTo(memtable.equals(ENGINE));
              assertThat(EngineNodes.sstables(faulty.node(), table).isEmpty())
                  .as("no SSTables")
                  .isEqualTo(memtable.equals(ENGINE));
            });
  }
}
