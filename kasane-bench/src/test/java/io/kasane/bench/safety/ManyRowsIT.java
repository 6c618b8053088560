/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.safety;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.bench.node.KnownRows;
import io.kasane.node.ByteSize;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A campaign: a node that knows the heat of millions of rows, and leaves as many out of reads, is
 * killed with -9 while they are updated and copied.
 *
 * <p>{@code -Dkasane.many.rows=10000000}; {@code -Dkasane.many.cycles} kills, {@code
 * -Dkasane.seed=N} to replay a run as far as its timing allows. Ten million take an hour and more.
 */
@Tag("node")
@Tag("campaign")
@EnabledIf("isWanted")
class ManyRowsIT {
  private static final int ROWS = TestRun.size("kasane.many.rows", 0, 500_000);
  private static final int CYCLES = TestRun.size("kasane.many.cycles", 10, 3);
  private static final long SEED = TestRun.seed();
  private static final int READ_PER_CYCLE = 100_000;
  private static final int UPDATED_PER_CYCLE = 100_000;
  private static final int READ_AT_LAST = 1_000_000;

  /** Of what is left out, in runs of tokens; more while they are merged. */
  private static final int MIN_BYTES_PER_ROW = 4;

  private static final String TIERED =
      "{'class': 'io.kasane.tier.HeatTieredCompactionStrategy', 'heat_period': '1h',"
          + " 'tier_mode': '%s'}";

  private final long began = System.nanoTime();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  static boolean isWanted() {
    return ROWS > 0;
  }

  @Test
  void shouldLoseNothingOfMillionsOfRows() throws Exception {
    LocalNode node =
        LocalCluster.builder(Distribution.locate(), dir)
            .isolated()
            .each(
                settings ->
                    settings
                        .heap("2g")
                        .fastQuota(ByteSize.parse("8GiB"))
                        .yaml("commitlog_sync_period", "100ms")
                        .yaml("memtable_heap_space", "64MiB") // flushes are copied
                        .yaml("commitlog_total_space", "256MiB")
                        .yaml("auto_snapshot", false))
            .build()
            .node(1);
    ManyRows rows = new ManyRows(ROWS, SEED);
    try {
      prepare(node);
      fill(node, rows);
      for (int cycle = 1; cycle <= CYCLES; cycle++) {
        updateAndKill(node, rows, cycle);
      }
      try (CqlSession session = connect(node, rows)) {
        rows.verifyAll();
        say("all %,d rows read".formatted(ROWS));
        awaitLeftOut(node);
        session.execute("ALTER TABLE k.t WITH compaction = " + TIERED.formatted("tier"));
        nodetool(node, "compact", "k", "t");
        say("merged, %,d read again".formatted(rows.verify(READ_AT_LAST)));
      }
      assertThat(node.log().errors()).isEmpty();
    } catch (Throwable e) {
      throw new AssertionError("seed " + SEED + ", node " + dir + ": " + e, e);
    } finally {
      node.kill9();
    }
  }

  /** It hears that all rows are hot before it has one of them. */
  private void prepare(LocalNode node) throws IOException {
    try (CqlSession session = node.start().waitUntilReady().connect()) {
      session.execute(
          "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute(
          "CREATE TABLE k.t (id bigint PRIMARY KEY, version int) WITH compaction = "
              + TIERED.formatted("cache"));
    }
    node.stop();
    KnownRows.save(node, ROWS, ManyRows.tokens(ROWS));
    say("%,d rows are known".formatted(ROWS));
  }

  private static CqlSession connect(LocalNode node, ManyRows rows) {
    CqlSession session = node.start().waitUntilReady().connect();
    rows.connect(session);
    return session;
  }

  /** A merge copies what is hot, so all. */
  private void fill(LocalNode node, ManyRows rows) throws Exception {
    try (CqlSession session = connect(node, rows)) {
      rows.fill();
      nodetool(node, "flush", "k", "t");
      nodetool(node, "compact", "k", "t");
      say("all are written");
      awaitLeftOut(node);
    }
    node.stop();
  }

  /** Kills it while writes are on their way. */
  private void updateAndKill(LocalNode node, ManyRows rows, int cycle) throws Exception {
    int verified;
    try (CqlSession session = connect(node, rows)) {
      verified = rows.verify(READ_PER_CYCLE);
      rows.update(UPDATED_PER_CYCLE);
      long killedNanos = System.nanoTime();
      node.kill9();
      rows.died(killedNanos);
    }
    say("kill %d of %d: %,d read before".formatted(cycle, CYCLES, verified));
  }

  /** Until the node knows the rows, and its reads leave out as many. */
  private void awaitLeftOut(LocalNode node) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      await()
          .atMost(Duration.ofMinutes(10))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> {
                assertThat(metric(jmx, "TrackedKeys")).isGreaterThan((long) (0.95 * ROWS));
                assertThat(metric(jmx, "LeftOutMemoryBytes"))
                    .isGreaterThan((long) MIN_BYTES_PER_ROW * ROWS);
              });
      say(
          "%,d rows known, %,d bytes of what is left out"
              .formatted(metric(jmx, "TrackedKeys"), metric(jmx, "LeftOutMemoryBytes")));
    }
  }

  private static long metric(NodeJmx jmx, String name) throws IOException {
    return ((Number)
            jmx.attribute(
                "org.apache.cassandra.metrics:type=Kasane,keyspace=k,scope=t,name=" + name,
                "Value"))
        .longValue();
  }

  private void say(String what) {
    long seconds = (System.nanoTime() - began) / 1_000_000_000;
    System.out.printf("  %4d s, seed %d: %s%n", seconds, SEED, what);
  }
}
