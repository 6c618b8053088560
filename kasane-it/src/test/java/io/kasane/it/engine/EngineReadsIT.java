/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many more reads than may be in the engine at a time, of which some take longer than a call may,
 * while memtables are flushed: none fails, of this table or of another one.
 *
 * <p>{@code -Dkasane.reads.seconds=300} says for how long.
 */
@Tag("node")
@Tag("campaign")
class EngineReadsIT {
  private static final Random RANDOM = new Random(TestRun.seed());
  private static final Duration TIME =
      Duration.ofSeconds(TestRun.size("kasane.reads.seconds", 2, 120));
  private static final int ROWS = TestRun.size("kasane.reads.rows", 40_000, 100_000);
  private static final int OTHER_ROWS = 1_000;
  private static final int ROWS_OF_A_VALUE = 10;
  private static final int IN_FLIGHT = 1_000;
  private static final int INDEX_QUERIES = 64;
  private static final int PARTITION_READS = 8;
  private static final int SCANS = 4;
  private static final int OTHER_READS = 4;
  private static final int FAILURES_SHOWN = 5;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Of server and client: a machine may be slow, and what hangs is not to be taken for slow. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final LongAdder failures = new LongAdder();
  private final Queue<String> firstFailures = new ConcurrentLinkedQueue<>();
  private LocalNode node;
  private CqlSession session;

  /** Reads of one kind: how many there were, and how long the longest one took. */
  private static final class Kind {
    private final String name;
    private final LongAdder reads = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();

    Kind(String name) {
      this.name = name;
    }

    @Override
    public String toString() {
      return "%,d %s (the longest %.1f s)".formatted(reads.sum(), name, longestNanos.get() / 1e9);
    }
  }

  @BeforeEach
  void start() {
    node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("700m")
                        .engine("lmdb")
                        .yaml("concurrent_reads", 8)
                        .yaml("native_transport_timeout", PATIENCE.toSeconds() + "s")
                        .yaml("read_request_timeout", PATIENCE.toSeconds() + "s")
                        .yaml("range_request_timeout", PATIENCE.toSeconds() + "s")
                        .yaml("write_request_timeout", PATIENCE.toSeconds() + "s")
                        .jvmFlag("-Dkasane.engine_longest_read_millis=2000"))
            .build()
            .node(1);
    session = node.start().waitUntilReady().connect();
    EngineNodes.createKeyspace(session, 1);
    EngineNodes.createTable(session, "t", "lmdb");
    session.execute("CREATE INDEX ON k.t (v)");
    EngineNodes.createTable(session, "other", "lsm");
    EngineNodes.write(session, "other", 0, OTHER_ROWS);
    write();
    EngineNodes.flush(node, "t", "other");
  }

  private void write() {
    PreparedStatement insert = session.prepare("INSERT INTO k.t (id, c, v) VALUES (?, ?, ?)");
    for (int from = 0; from < ROWS; from += IN_FLIGHT) {
      List<CompletionStage<AsyncResultSet>> written = new ArrayList<>();
      for (int id = from; id < from + IN_FLIGHT; id++) {
        written.add(session.executeAsync(insert.bind(id, id % 7, value(id))));
      }
      written.forEach(each -> each.toCompletableFuture().join());
    }
  }

  private static String value(int id) {
    return "v" + id / ROWS_OF_A_VALUE;
  }

  @AfterEach
  void stop() {
    ends.set(true);
    threads.shutdownNow();
    session.closeAsync();
    node.kill9();
  }

  @Test
  void shouldFailNoReadHoweverManyThereAre() throws Exception {
    Kind byIndex = new Kind("index queries");
    Kind partitions = new Kind("partition reads");
    Kind scans = new Kind("scans");
    Kind others = new Kind("reads of another table");
    begin(INDEX_QUERIES, byIndex, this::readByIndex);
    begin(PARTITION_READS, partitions, () -> readPartition("t", ROWS));
    begin(SCANS, scans, this::scan);
    begin(OTHER_READS, others, () -> readPartition("other", OTHER_ROWS));
    begin(1, new Kind("flushes"), this::flush);
    begin(1, new Kind("writes"), this::writeAgain);
    Awaitility.await()
        .pollDelay(TIME)
        .atMost(TIME.plusMinutes(1))
        .untilAsserted(() -> assertThat(scans.reads.sum()).isPositive());
    ends.set(true);
    threads.shutdown();
    assertThat(threads.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    System.out.printf(
        "%d failures in %d s: %s, %s, %s, %s%n",
        failures.sum(), TIME.toSeconds(), byIndex, partitions, scans, others);
    assertThat(failures.sum()).as("failures, such as %s", firstFailures).isZero();
    Row engine = session.execute("SELECT failures, readers FROM kasane_views.engines").one();
    assertThat(engine.getLong("failures")).as("times that it was out").isZero();
    assertThat(engine.getInt("readers")).as("places that were not given back").isZero();
  }

  private void begin(int clients, Kind kind, Runnable operation) {
    for (int i = 0; i < clients; i++) {
      threads.execute(
          () -> {
            while (!ends.get()) {
              long began = System.nanoTime();
              try {
                operation.run();
              } catch (RuntimeException | AssertionError e) {
                failures.increment();
                if (firstFailures.size() < FAILURES_SHOWN) {
                  firstFailures.add(kind.name + ": " + e);
                }
              }
              kind.reads.increment();
              kind.longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
            }
          });
    }
  }

  private List<Row> read(String query, Object... values) {
    return session.execute(SimpleStatement.newInstance(query, values).setTimeout(PATIENCE)).all();
  }

  private void readByIndex() {
    int id = RANDOM.nextInt(ROWS);
    assertThat(read("SELECT id FROM k.t WHERE v = ?", value(id))).hasSize(ROWS_OF_A_VALUE);
  }

  private void readPartition(String table, int rows) {
    int id = RANDOM.nextInt(rows);
    assertThat(read("SELECT v FROM k." + table + " WHERE id = ?", id)).hasSize(1);
  }

  /** Of all partitions, none of which has such a row. */
  private void scan() {
    assertThat(read("SELECT id FROM k.t WHERE c = 7 ALLOW FILTERING")).isEmpty();
  }

  private void flush() {
    EngineNodes.flush(node, "t");
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private void writeAgain() {
    int id = RANDOM.nextInt(ROWS);
    read("INSERT INTO k.t (id, c, v) VALUES (?, ?, ?)", id, id % 7, value(id));
    LockSupport.parkNanos(PAUSE.toNanos());
  }
}
