/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a node with -9 again and again while tables on storage engines are written and flushed, and
 * some are altered from one engine to another all the time.
 *
 * <p>{@code -Dkasane.crash.cycles=100} asks for more, {@code -Dkasane.seed=N} replays a run as far
 * as its timing allows.
 */
@Tag("node")
@Tag("campaign")
class EngineCrashIT {
  private static final int CYCLES = TestRun.size("kasane.crash.cycles", 1, 25);
  private static final long SEED = TestRun.seed();
  private static final double READ_SHARE = 0.5;
  private static final double KILL_WHILE_STARTING = 0.1;
  private static final List<String> ENGINES = List.of("lsm", "lmdb", "rocksdb", "redis", "innodb");

  private final CheckedTable<?> rows = new CheckedRows("rows", 2000, 1500);
  private final CheckedTable<?> partitions = new CheckedPartitions("partitions", 300);
  private final CheckedTable<?> counters = new CheckedCounters("counters", 300);
  private final CheckedTable<?> indexed = new CheckedIndexed("indexed", 300);
  private final CheckedTable<?> movedRows = new CheckedRows("moved_rows", 1000, 1000);
  private final CheckedTable<?> movedPartitions = new CheckedPartitions("moved_partitions", 200);
  private final List<CheckedTable<?>> tables =
      List.of(rows, partitions, counters, indexed, movedRows, movedPartitions);
  private final List<CheckedTable<?>> moved = List.of(movedRows, movedPartitions);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  @Test
  void shouldLoseNothingAndBringNothingBack() throws Exception {
    LocalNode node =
        LocalCluster.builder(Distribution.locate(), dir)
            .each(CrashIT::ownPlace)
            .each(
                settings ->
                    settings
                        .heap("700m")
                        .engine("redis", "innodb")
                        .syncEveryWrite()
                        .yaml("commitlog_segment_size", "1MiB")
                        .yaml("commitlog_total_space", "16MiB")
                        .yaml("auto_snapshot", false))
            .build()
            .node(1);
    CqlSession session = node.start().waitUntilReady().connect();
    try {
      createTables(session);
      for (int cycle = 1; cycle <= CYCLES; cycle++) {
        Random random = new Random(SEED + cycle);
        try {
          runAndKill(node, session, random);
          session.closeAsync(); // in the background: the driver takes its time
          session = node.waitUntilReady().connect();
          for (CheckedTable<?> table : tables) {
            table.connect(session);
            table.verify();
          }
          assertThat(CrashIT.errors(node)).isEmpty();
        } catch (Throwable e) {
          throw new AssertionError(
              "cycle " + cycle + " of seed " + SEED + ", node " + dir + ": " + e, e);
        }
        System.out.printf(
            "engine crash %d/%d seed %d: acknowledged %,d, unanswered %,d, reads %,d%n",
            cycle,
            CYCLES,
            SEED,
            tables.stream().mapToLong(CheckedTable::acknowledged).sum(),
            tables.stream().mapToLong(CheckedTable::unanswered).sum(),
            tables.stream().mapToLong(CheckedTable::reads).sum());
      }
    } finally {
      node.kill9();
    }
  }

  private void createTables(CqlSession session) {
    session.setSchemaMetadataEnabled(false);
    session.execute(
        "CREATE KEYSPACE "
            + CheckedTable.KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    create(session, rows, "lmdb");
    create(session, partitions, "rocksdb");
    create(session, counters, "lmdb");
    create(session, indexed, "lmdb");
    create(session, movedRows, "lsm");
    create(session, movedPartitions, "lmdb");
    tables.forEach(table -> table.connect(session));
  }

  private static void create(CqlSession session, CheckedTable<?> table, String engine) {
    session.execute(
        "CREATE TABLE "
            + table.qualifiedName()
            + " ("
            + table.columns()
            + ") WITH gc_grace_seconds = 15 AND memtable = '"
            + engine
            + "'");
  }

  private void runAndKill(LocalNode node, CqlSession session, Random random) throws Exception {
    long lifetime = 1_000L + random.nextInt(4_000);
    AtomicBoolean ends = new AtomicBoolean();
    Thread alters = new Thread(() -> alter(session, new Random(random.nextLong()), ends));
    try (Traffic traffic = Traffic.start(node, tables, READ_SHARE, random)) {
      alters.start();
      Thread.sleep(lifetime);
      assertThat(node.isAlive()).as("node lives until it is killed").isTrue();
      traffic.endsNow();
      ends.set(true);
      node.kill9();
      traffic.await();
    } finally {
      ends.set(true);
      alters.join();
    }
    node.start();
    if (random.nextDouble() < KILL_WHILE_STARTING) {
      Thread.sleep(3000L + random.nextInt(5000));
      node.kill9();
      node.start();
    }
  }

  /** From engine to engine, there and back, faster than rows can move. */
  private void alter(CqlSession session, Random random, AtomicBoolean ends) {
    while (!ends.get()) {
      CheckedTable<?> table = moved.get(random.nextInt(moved.size()));
      String engine = ENGINES.get(random.nextInt(ENGINES.size()));
      try {
        session.execute(
            "ALTER TABLE " + table.qualifiedName() + " WITH memtable = '" + engine + "'");
        Thread.sleep(random.nextInt(random.nextBoolean() ? 200 : 3_000));
      } catch (DriverException e) {
        if (!ends.get()) {
          throw e;
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
