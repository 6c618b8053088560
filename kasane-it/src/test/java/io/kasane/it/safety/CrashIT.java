/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.safety;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.ByteSize;
import io.kasane.node.DirectoryUse;
import io.kasane.node.Distribution;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeSettings;
import io.kasane.testkit.TestRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a node with -9 again and again while rows are written, flushed and moved between the tiers.
 *
 * <p>{@code -Dkasane.crash.cycles=100} asks for more than the few kills of a normal build, {@code
 * -Dkasane.seed=N} replays a run as far as its timing allows.
 */
@Tag("node")
@Tag("campaign")
class CrashIT {
  private static final int CYCLES = TestRun.size("kasane.crash.cycles", 1, 25);
  private static final long SEED = TestRun.seed();

  /** Whether what is known of heat, and of what reads may leave out, overflows all the time. */
  private static final boolean IS_FULL =
      Boolean.parseBoolean(
          System.getProperty("kasane.crash.full", Boolean.toString(SEED % 2 == 0)));

  private static final ByteSize NODE_QUOTA = ByteSize.parse("3MiB");
  private static final ByteSize TABLE_QUOTA = ByteSize.parse("1280KiB");
  private static final long FIRST_LOAD_MILLIS =
      TestRun.size("kasane.crash.first.load.millis", 2_000, 10_000);
  private static final double READ_SHARE = 0.5;
  private static final double KILL_WHILE_STARTING = 0.1;

  private static final String TIERED =
      "{'class': 'io.kasane.tier.HeatTieredCompactionStrategy', 'heat_period': '1s',"
          + " 'min_threshold': 3, 'hot_min_threshold': 2, 'slow_read_cost': '16MiB'"
          + (IS_FULL ? ", 'heat_capacity': 100" : "")
          + "%s}";

  private final CheckedTable<?> rows = new CheckedRows("rows", 3000, 1500);
  private final CheckedTable<?> partitions = new CheckedPartitions("partitions", 300);
  private final CheckedTable<?> counters = new CheckedCounters("counters", 500);
  private final CheckedTable<?> plain = new CheckedRows("plain", 500, 500);
  private final CheckedTable<?> cached = new CheckedRows("cached", 1000, 1500);
  private final List<CheckedTable<?>> tables = List.of(rows, partitions, counters, cached, plain);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  @Test
  void shouldLoseNothingBringNothingBackAndLeaveNothingBehind() throws Exception {
    LocalNode node =
        LocalCluster.builder(Distribution.locate(), dir)
            .each(CrashIT::ownPlace)
            .each(
                settings ->
                    settings
                        .heap("600m")
                        .fastQuota(NODE_QUOTA)
                        .syncEveryWrite()
                        .jvmFlag("-Dkasane.left_out_bytes=" + (IS_FULL ? 1_000 : 1 << 20))
                        .yaml("commitlog_segment_size", "1MiB")
                        .yaml("commitlog_total_space", "16MiB")
                        .yaml("concurrent_compactors", 2)
                        .yaml("compaction_throughput", "0MiB/s")
                        .yaml("auto_snapshot", false))
            .build()
            .node(1);
    DiskAudit audit =
        new DiskAudit(
            node.settings(),
            Set.of(
                rows.qualifiedName(),
                partitions.qualifiedName(),
                counters.qualifiedName(),
                cached.qualifiedName()));
    CqlSession session = connect(node.start());
    try (QuotaSampler sampler =
        new QuotaSampler(
            node.settings().fast(),
            NODE_QUOTA.bytes(),
            Map.of(rows.qualifiedName(), TABLE_QUOTA.bytes()))) {
      createTables(session);
      for (int cycle = 1; cycle <= CYCLES; cycle++) {
        long began = System.nanoTime();
        Random random = new Random(SEED + cycle);
        try {
          boolean first = cycle == 1;
          boolean last = cycle == CYCLES;
          setMode(session, !last && random.nextInt(3) == 0 ? "tier" : "cache");
          CqlSession open = session;
          Callable<Boolean> isUnderWay =
              () -> (!first || moved(open, sampler)) && (!last || allAreCopies(open));
          runAndKill(node, random, first ? FIRST_LOAD_MILLIS : 0, isUnderWay);
          if (last) {
            loseTheCopies(node);
          }
          startAgain(node, random);
          session.closeAsync(); // in the background: the driver takes its time
          session = connect(node);
          for (CheckedTable<?> table : tables) {
            table.connect(session);
            table.verify();
          }
          audit.requireClean(node);
          assertThat(errors(node)).isEmpty();
          assertThat(sampler.violations()).isEmpty();
        } catch (Throwable e) {
          throw new AssertionError(
              "cycle " + cycle + " of seed " + SEED + ", node " + dir + ": " + e, e);
        }
        report(cycle, began, sampler);
      }
    } finally {
      node.kill9();
    }
  }

  /**
   * Killed before a new segment of the commit log had its header, Cassandra says so when it starts,
   * and goes on; with any segment but the last it does not start.
   */
  static List<String> errors(LocalNode node) {
    return node.log().errors().stream()
        .filter(line -> !line.contains("replay error likely due to incomplete flush to disk"))
        .toList();
  }

  private void setMode(CqlSession session, String mode) {
    session.execute(
        "ALTER TABLE "
            + cached.qualifiedName()
            + " WITH compaction = "
            + String.format(TIERED, ", 'tier_mode': '" + mode + "'"));
  }

  /** In mode cache the slow disk alone holds all rows. */
  private boolean allAreCopies(CqlSession session) {
    return fastBytes(session, "fast_only_bytes") == 0 && fastBytes(session, "fast_bytes") > 0;
  }

  private void loseTheCopies(LocalNode node) throws Exception {
    Path keyspace = node.settings().fast().resolve(CheckedTable.KEYSPACE);
    assertThat(new DataFiles(node.settings().fast(), cached.name()).all())
        .as("copies to lose")
        .isNotEmpty();
    try (Stream<Path> found = Files.list(keyspace)) {
      for (Path directory : found.toList()) {
        if (directory.getFileName().toString().startsWith(cached.name() + "-")) {
          DirectoryUse.delete(directory);
        }
      }
    }
  }

  private long fastBytes(CqlSession session, String column) {
    return session
        .execute(
            "SELECT "
                + column
                + " FROM kasane_views.tables WHERE keyspace_name = '"
                + CheckedTable.KEYSPACE
                + "' AND table_name = '"
                + cached.name()
                + "'")
        .one()
        .getLong(0);
  }

  /** Not merely free addresses: another cluster would find them free while this node is down. */
  static void ownPlace(NodeSettings.Builder settings) {
    int number = (int) (ProcessHandle.current().pid() % 10_000);
    settings.network("127." + (100 + number / 250) + "." + number % 250).jmxPort(20_000 + number);
  }

  private static boolean moved(CqlSession session, QuotaSampler sampler) {
    return sampler.peakBytes() > NODE_QUOTA.bytes() / 4 && copiedRows(session) > 0;
  }

  private static long copiedRows(CqlSession session) {
    return session.execute("SELECT copied_rows FROM kasane_views.tables").all().stream()
        .mapToLong(row -> row.getLong(0))
        .sum();
  }

  private CqlSession connect(LocalNode node) {
    CqlSession session = node.waitUntilReady().connect();
    session.setSchemaMetadataEnabled(false);
    return session;
  }

  private void createTables(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE "
            + CheckedTable.KEYSPACE
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    create(session, rows, String.format(TIERED, ", 'fast_quota': '" + TABLE_QUOTA + "'"));
    create(session, partitions, String.format(TIERED, ""));
    // Its hot rows never find room on fast: they go to SSTables of their own on slow.
    create(
        session, counters, String.format(TIERED, ", 'fast_quota': '0B', 'heat_policy': 'share'"));
    create(session, cached, String.format(TIERED, ", 'tier_mode': 'cache'"));
    create(session, plain, "{'class': 'SizeTieredCompactionStrategy', 'min_threshold': 2}");
    tables.forEach(table -> table.connect(session));
  }

  /** Tombstones go soon, but not before the commit log has let go of what they cover. */
  private static void create(CqlSession session, CheckedTable<?> table, String compaction) {
    session.execute(
        "CREATE TABLE "
            + table.qualifiedName()
            + " ("
            + table.columns()
            + ") WITH gc_grace_seconds = 15 AND compaction = "
            + compaction);
  }

  private void runAndKill(
      LocalNode node, Random random, long extraMillis, Callable<Boolean> isUnderWay)
      throws Exception {
    long lifetime = extraMillis + 200L + random.nextInt(2800);
    try (Traffic traffic = Traffic.start(node, tables, READ_SHARE, random)) {
      Awaitility.await("rows lie on fast, and some were copied there")
          .pollDelay(Duration.ZERO)
          .atMost(Duration.ofMinutes(2))
          .until(isUnderWay);
      Thread.sleep(lifetime);
      assertThat(node.isAlive()).as("node lives until it is killed").isTrue();
      traffic.endsNow();
      node.kill9();
      traffic.await();
    }
  }

  private static void startAgain(LocalNode node, Random random) throws Exception {
    node.start();
    if (random.nextDouble() < KILL_WHILE_STARTING) {
      Thread.sleep(3000L + random.nextInt(5000));
      node.kill9();
      node.start();
    }
  }

  private void report(int cycle, long began, QuotaSampler sampler) {
    System.out.printf(
        "crash %d/%d seed %d: %.1f s; acknowledged %,d, unanswered %,d, reads %,d; fast peak %,d of"
            + " %,d bytes, table %,d of %,d, walks %,d%n",
        cycle,
        CYCLES,
        SEED,
        (System.nanoTime() - began) / 1e9,
        tables.stream().mapToLong(CheckedTable::acknowledged).sum(),
        tables.stream().mapToLong(CheckedTable::unanswered).sum(),
        tables.stream().mapToLong(CheckedTable::reads).sum(),
        sampler.peakBytes(),
        NODE_QUOTA.bytes(),
        sampler.peakBytes(rows.qualifiedName()),
        TABLE_QUOTA.bytes(),
        sampler.walks());
  }
}
