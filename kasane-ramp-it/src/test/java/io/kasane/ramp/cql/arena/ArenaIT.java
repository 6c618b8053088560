/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.kasane.node.DirectoryUse;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampNodes;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.testkit.StockTools;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** First rounds from a node's shared memory, whatever happens to its tables. */
@Tag("node")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArenaIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int TRUNCATES = TestRun.size("kasane.arena.truncates", 3, 20);
  private static final int RACE_SECONDS = TestRun.size("kasane.arena.raceSeconds", 4, 60);
  private static final int KILLS = TestRun.size("kasane.arena.kills", 1, 5);
  private static final int CLIENTS = TestRun.size("kasane.arena.clients", 1, 10);
  private static final int KEYS = 100;
  private static final int PAIRS = 2_600;
  private static final int RACERS = 2;

  @TempDir private static Path dir;
  private LocalCluster cluster;
  private LocalNode node;
  private Path arenas;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void start() {
    arenas = dir.resolve("arenas");
    Map<String, Object> tables = new HashMap<>();
    for (String table :
        List.of("seen", "raced", "truncated", "dropped", "imported", "deleted", "killed", "left")) {
      tables.put("shop." + table, "1MiB");
    }
    cluster =
        RampNodes.of(
            1,
            dir.resolve("nodes"),
            settings ->
                settings
                    .withKasane(true)
                    .syncEveryWrite()
                    .jvmFlag("-Dkasane.arena_save_seconds=1")
                    .kasaneYaml(
                        "arenas",
                        Map.of("directory", arenas.toString(), "slot", "2KiB", "tables", tables)));
    node = cluster.start().node(1);
    connect();
  }

  private void connect() {
    cql = RampNodes.connectAlone(node, "");
    cql.execute(
        "CREATE KEYSPACE IF NOT EXISTS shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    session = session();
  }

  private RampSession session() {
    return RampSession.builder(cql, "shop")
        .options(RampOptions.defaults().withDeadline(Duration.ofSeconds(5)))
        .arenas(arenas)
        .build();
  }

  private void disconnect() {
    session.close();
    cql.close();
  }

  @AfterAll
  void stop() {
    disconnect();
    cluster.kill9();
    DirectoryUse.delete(dir.resolve("nodes"));
  }

  private RampTable<Long, Long> table(String name) {
    return session.table(name, Codecs.int64(), Codecs.int64());
  }

  private static Map<Long, Long> values(long value) {
    return LongStream.range(0, KEYS).boxed().collect(Collectors.toMap(key -> key, key -> value));
  }

  /** As somebody reads who has seen nothing yet. */
  private Map<Long, Long> read(RampTable<Long, Long> table) {
    return session.newSession().getAll(table, values(0).keySet());
  }

  /** Without the siblings that say that there must be a version. */
  private Optional<Long> readAlone(RampTable<Long, Long> table, long key) {
    return session.newSession().get(table, key);
  }

  private ArenaMetrics metrics() {
    return session.metrics().arenas().orElseThrow();
  }

  /** Reads until all keys are answered from shared memory. */
  private void awaitHits(RampTable<Long, Long> table, Map<Long, Long> right) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              long before = metrics().hits();
              assertThat(read(table)).isEqualTo(right);
              assertThat(metrics().hits() - before).isEqualTo(KEYS);
            });
  }

  @Test
  void whatIsReadOftenIsAnsweredFromMemoryAndIsTheLatest() {
    RampTable<Long, Long> table = table("seen");
    session.put(table, values(1));
    awaitHits(table, values(1));
    for (long value = 2; value < 20; value++) {
      session.put(table, values(value));
      assertThat(read(table)).isEqualTo(values(value));
    }
    long hits = metrics().hits();
    assertThat(read(table)).isEqualTo(values(19));
    assertThat(metrics().hits() - hits).as("writes update slots").isEqualTo(KEYS);
    Row seen =
        cql.execute(
                "SELECT * FROM kasane_views.arenas WHERE keyspace_name = 'shop' AND table_name ="
                    + " 'seen'")
            .one();
    assertThat(seen.getInt("keys")).isEqualTo(KEYS);
    assertThat(seen.getLong("updates")).isPositive();
    assertThat(seen.getLong("fills")).isGreaterThanOrEqualTo(KEYS);
  }

  @Test
  void whatIsDeletedIsGone() {
    RampTable<Long, Long> table = table("deleted");
    session.put(table, values(1));
    awaitHits(table, values(1));
    session.delete(table, Set.of(3L));
    assertThat(read(table)).doesNotContainKey(3L).hasSize(KEYS - 1);
    ByteBuffer partition = Codecs.int64().encode(4L).toBuffer();
    cql.execute("DELETE FROM shop.deleted WHERE partition = ?", partition);
    assertThat(readAlone(table, 4)).as("by who goes behind its back").isEmpty();
    cql.execute(
        "DELETE FROM shop.deleted WHERE partition = ? AND kind >= 0",
        Codecs.int64().encode(5L).toBuffer());
    assertThat(readAlone(table, 5)).isEmpty();
    cql.execute(
        "DELETE body FROM shop.deleted WHERE partition = ? AND kind = 0 AND item = 0x AND version"
            + " = 0x",
        Codecs.int64().encode(6L).toBuffer());
    assertThat(readAlone(table, 6)).isEmpty();
  }

  @Test
  void readersOfATruncatedTableSeeNothingOfIt() throws Exception {
    RampTable<Long, Long> table = table("truncated");
    for (int round = 1; round <= TRUNCATES; round++) {
      session.put(table, values(round));
      awaitHits(table, values(round));
      AtomicBoolean ended = new AtomicBoolean();
      Thread reader =
          new Thread(
              () -> {
                while (!ended.get()) {
                  read(table);
                }
              });
      reader.start();
      try {
        cql.execute("TRUNCATE shop.truncated");
        for (int i = 0; i < 20; i++) {
          assertThat(read(table)).as("round %d", round).isEmpty();
        }
      } finally {
        ended.set(true);
        reader.join();
      }
    }
  }

  @Test
  void aTableOfADroppedOnesNameIsAnother() {
    RampTable<Long, Long> table = table("dropped");
    session.put(table, values(1));
    awaitHits(table, values(1));
    cql.execute("DROP TABLE shop.dropped");
    disconnect();
    connect();
    RampTable<Long, Long> again = table("dropped");
    assertThat(read(again)).isEmpty();
    session.put(again, values(2));
    awaitHits(again, values(2));
  }

  /** Versions that come as files, and are newer than those in memory. */
  @Test
  void whatIsImportedIsSeen() throws IOException {
    RampTable<Long, Long> table = table("imported");
    session.put(table, values(1));
    List<Row> old =
        cql.execute(
                "SELECT partition, body, WRITETIME(body) AS micros FROM shop.imported WHERE kind ="
                    + " 0 ALLOW FILTERING")
            .all();
    session.put(table, values(2));
    StockTools.nodetool(node, "snapshot", "-t", "second", "shop");
    Path copied = snapshotOf("imported", "second");
    disconnect(); // else what was written last is collected, and so written again
    connect();
    table = table("imported");
    cql.execute("TRUNCATE shop.imported");
    for (Row row : old) {
      cql.execute(
          "INSERT INTO shop.imported (partition, kind, item, version, body) VALUES (?, 0, 0x, 0x,"
              + " ?) USING TIMESTAMP ?",
          row.getByteBuffer("partition"),
          row.getByteBuffer("body"),
          row.getLong("micros"));
    }
    awaitHits(table, values(1));
    StockTools.nodetool(node, "import", "shop", "imported", "--copy-data", copied.toString());
    try (RampSession plain = RampSession.open(cql, "shop")) {
      assertThat(plain.getAll(table, values(0).keySet())).as("by CQL").isEqualTo(values(2));
    }
    assertThat(read(table)).isEqualTo(values(2));
    awaitHits(table, values(2));
  }

  private Path snapshotOf(String table, String tag) throws IOException {
    try (Stream<Path> all = Files.walk(node.settings().slow())) {
      return all.filter(
              each ->
                  each.endsWith(Path.of("snapshots", tag))
                      && each.getParent().getParent().getFileName().toString().startsWith(table))
          .findFirst()
          .orElseThrow();
    }
  }

  /**
   * Pairs of keys that are written together, of which a tenth has room; half of what the clients do
   * are puts.
   */
  @Test
  void readersBesideWritersAndEvictionsSeeNothingHalfAndNothingOlder() throws Exception {
    RampTable<Long, Long> table = table("raced");
    ZipfPairs zipf = new ZipfPairs(PAIRS);
    AtomicLongArray acknowledged = new AtomicLongArray(PAIRS);
    AtomicLong clock = new AtomicLong();
    LongAdder reads = new LongAdder();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    AtomicBoolean ended = new AtomicBoolean();
    long hitsBefore;
    long readsBefore;
    try (RampSession reading = session()) {
      RampTable<Long, Long> read = reading.table("raced", Codecs.int64(), Codecs.int64());
      List<Thread> clients = new ArrayList<>();
      for (int client = 0; client < RACERS; client++) {
        SplittableRandom random = new SplittableRandom(client);
        int own = client;
        Thread thread =
            new Thread(
                () -> {
                  while (!ended.get() && failures.isEmpty()) {
                    if (random.nextBoolean()) {
                      // Each writes pairs of its own: then values grow.
                      int pair = zipf.draw(random) / RACERS * RACERS + own;
                      long value = clock.incrementAndGet();
                      session
                          .newSession()
                          .put(table, Map.of(2L * pair, value, 2L * pair + 1, value));
                      acknowledged.accumulateAndGet(pair, value, Math::max);
                    } else {
                      int pair = zipf.draw(random);
                      readPair(reading, read, pair, acknowledged.get(pair));
                      reads.increment();
                    }
                  }
                });
        thread.setUncaughtExceptionHandler((in, thrown) -> failures.add(thrown));
        clients.add(thread);
        thread.start();
      }
      try {
        Thread.sleep(RACE_SECONDS * 500L);
        hitsBefore = reading.metrics().arenas().orElseThrow().hits();
        readsBefore = reads.sum();
        Thread.sleep(RACE_SECONDS * 500L);
        // However slow the machine is: there are more keys than slots.
        Awaitility.await().atMost(PATIENCE).until(() -> raced("evictions") > 0);
      } finally {
        ended.set(true);
        for (Thread client : clients) {
          client.join();
        }
      }
      assertThat(failures).isEmpty();
      long hits = reading.metrics().arenas().orElseThrow().hits() - hitsBefore;
      double share = hits / 2.0 / (reads.sum() - readsBefore);
      long slots = raced("slots");
      System.out.printf(
          "ArenaIT: %,d reads of pairs, %,d puts, %,d evictions; %.3f of the keys from memory in"
              + " the second half, %.3f if those that are read most had all %,d slots%n",
          reads.sum(),
          clock.get(),
          raced("evictions"),
          share,
          zipf.shareOfFirst((int) slots / 2),
          slots);
      assertThat(share).isPositive();
    }
  }

  /** What the node says of that arena. */
  private long raced(String column) {
    return ((Number)
            cql.execute(
                    "SELECT * FROM kasane_views.arenas WHERE keyspace_name = 'shop' AND table_name"
                        + " = 'raced'")
                .one()
                .getObject(column))
        .longValue();
  }

  private static void readPair(
      RampSession reading, RampTable<Long, Long> table, int pair, long least) {
    Map<Long, Long> seen = reading.newSession().getAll(table, List.of(2L * pair, 2L * pair + 1));
    assertThat(Set.copyOf(seen.values())).as("both of one put: %s", seen).hasSizeBetween(0, 1);
    assertThat(seen.size()).isIn(0, 2);
    if (least > 0) {
      assertThat(seen.get(2L * pair)).isGreaterThanOrEqualTo(least);
    }
  }

  @Test
  void clientsThatAreKilledLeaveNothingOnTheNode() throws Exception {
    RampTable<Long, Long> table = table("left");
    session.put(table, values(1));
    awaitHits(table, values(1));
    long connections = connections();
    List<String> files = filesOfArenas();
    long open = openFiles();
    for (int killed = 0; killed < CLIENTS; killed++) {
      EndlessReader.killWhileItReads(node, arenas, "left", KEYS);
    }
    Awaitility.await().atMost(PATIENCE).until(() -> connections() == connections);
    assertThat(filesOfArenas()).isEqualTo(files);
    // Compactions and the commit log open and close files of their own.
    Awaitility.await().atMost(PATIENCE).until(() -> openFiles() < open + CLIENTS + 10);
    session.put(table, values(2));
    awaitHits(table, values(2));
  }

  private long connections() {
    return cql.execute("SELECT port FROM system_views.clients").all().size();
  }

  private List<String> filesOfArenas() throws IOException {
    try (Stream<Path> files = Files.list(arenas)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  private long openFiles() throws IOException {
    String pid = Files.readString(node.settings().dir().resolve("node.pid")).strip();
    try (Stream<Path> files = Files.list(Path.of("/proc", pid, "fd"))) {
      return files.count();
    }
  }

  @Test
  void aKilledNodeIsNotBelievedAndComesBackByItself() {
    RampTable<Long, Long> table = table("killed");
    session.put(table, values(1));
    for (int kill = 0; kill < KILLS; kill++) {
      awaitHits(table, values(1));
      Awaitility.await().atMost(PATIENCE).until(() -> areKeysSaved("killed"));
      node.kill9();
      long killed = System.nanoTime();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .pollInterval(Duration.ofMillis(10))
          .until(
              () -> {
                long hits = metrics().hits();
                session.newSession().getAsync(table, 1L);
                return metrics().hits() == hits;
              });
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofMillis(500));
      node.start().waitUntilReady();
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> filledKeys("killed") == KEYS);
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .untilAsserted(() -> assertThat(read(table)).isEqualTo(values(1)));
    }
    awaitHits(table, values(1));
  }

  /** Of all keys of the table. */
  private boolean areKeysSaved(String table) {
    UUID id =
        cql.execute(
                "SELECT id FROM system_schema.tables WHERE keyspace_name = 'shop' AND table_name ="
                    + " ?",
                table)
            .one()
            .getUuid(0);
    Path saved =
        node.settings()
            .dir()
            .resolve("saved_caches/kasane")
            .resolve("arena-" + id.toString().replace("-", "") + ".keys");
    return saved.toFile().length() >= KEYS * (Integer.BYTES + Long.BYTES);
  }

  /** Before anybody has read any of them. */
  private int filledKeys(String table) {
    return cql.execute(
            "SELECT keys FROM kasane_views.arenas WHERE keyspace_name = 'shop' AND table_name ="
                + " ?",
            table)
        .one()
        .getInt("keys");
  }
}
