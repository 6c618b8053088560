/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import io.kasane.node.LocalNode;
import io.kasane.node.NodeJmx;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.CandidateQuery;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What transactions leave on disk, and what that costs those who read. */
@Tag("node")
@Tag("campaign")
@ExtendWith(UsesNode.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StorageIT {
  private static final Duration WINDOW = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int KEYS = 100;
  private static final int OLD_VERSIONS = TestRun.size("kasane.ramp.oldVersions", 3_000, 10_000);
  private static final int ORPHANS = OLD_VERSIONS / 10;
  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(1_400))
          .withGcWindow(WINDOW)
          .withGcGrace(WINDOW)
          .withMaxClockDrift(Duration.ofMillis(100));

  private LocalNode node;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void start(LocalNode shared, CqlSession driver) {
    node = shared;
    cql = driver;
    cql.execute(
        "CREATE KEYSPACE storage WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
    session = RampSession.builder(cql, "storage").options(OPTIONS).build();
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    cql.execute("DROP KEYSPACE storage");
  }

  /** Every key is written about once a window, in transactions of ten keys. */
  @Test
  void fewVersionsOfAKeyAreKept() throws Exception {
    RampTable<Long, Long> table = session.table("steady", Codecs.int64(), Codecs.int64());
    session.put(table, values(0, KEYS, 0));
    long seed = TestRun.seed();
    System.out.println("StorageIT.fewVersionsOfAKeyAreKept: seed " + seed);
    Random random = new Random(seed);
    AtomicInteger puts = new AtomicInteger();
    ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    try {
      var writing =
          writer.scheduleAtFixedRate(
              () -> {
                Map<Long, Long> some = new HashMap<>();
                for (int each = 0; each < 10; each++) {
                  some.put((long) random.nextInt(KEYS), (long) puts.get());
                }
                session.put(table, some);
                puts.incrementAndGet();
              },
              0,
              WINDOW.toMillis() * 10 / KEYS,
              TimeUnit.MILLISECONDS);
      long collectedBefore = session.metrics().collected();
      List<Double> samples = new ArrayList<>();
      // Every key was collected twice: from then on there is no more than there will ever be.
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                samples.add((double) rows("steady").size() / KEYS);
                return writing.isDone()
                    || session.metrics().collected() - collectedBefore >= 3 * KEYS;
              });
      assertThat(writing.isDone()).as("a put failed").isFalse();
      double average = samples.stream().mapToDouble(each -> each).average().orElseThrow();
      System.out.printf(
          "StorageIT: %.2f rows a key on average, %.2f at most, after %d puts of ten keys%n",
          average, samples.stream().mapToDouble(each -> each).max().orElseThrow(), puts.get());
      assertThat(average).isLessThanOrEqualTo(3);
    } finally {
      writer.shutdown();
      writer.awaitTermination(1, TimeUnit.MINUTES);
    }
    awaitRows("steady", KEYS);
  }

  @Test
  void whatIsInsertedAndDeletedLeavesNothing() throws Exception {
    RampTable<Long, Long> table = session.table("churned", Codecs.int64(), Codecs.int64());
    session.put(table, values(0, KEYS, 1));
    awaitRows("churned", KEYS);
    long bytesBefore = bytesAfterCompaction("churned");
    for (int round = 1; round <= 4; round++) {
      Map<Long, Long> values = values((long) round * KEYS, KEYS, round);
      List<List<Long>> parts = parts(values.keySet(), 10);
      for (List<Long> part : parts) {
        Map<Long, Long> some = new HashMap<>();
        part.forEach(key -> some.put(key, values.get(key)));
        session.put(table, some);
      }
      for (List<Long> part : parts) {
        session.delete(table, part);
      }
    }
    assertThat(rows("churned")).hasSizeGreaterThan(KEYS);
    awaitRows("churned", KEYS);
    // Opened tables keep tombstones for hours; here nobody was away who would need them.
    cql.execute("ALTER TABLE storage.churned WITH gc_grace_seconds = 0");
    Awaitility.await("disk use as before")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              long bytes = bytesAfterCompaction("churned");
              System.out.printf("StorageIT: %d bytes before, %d after%n", bytesBefore, bytes);
              return bytes <= bytesBefore * 11 / 10;
            });
    assertThat(session.getAll(table, values(0, KEYS, 1).keySet())).isEqualTo(values(0, KEYS, 1));
  }

  /** Reads ask for the exact rows that they need, however many others there are. */
  @Test
  void oldVersionsAndOrphansHardlySlowReadsDown() throws Exception {
    RampTable<Long, Long> table = session.table("littered", Codecs.int64(), Codecs.int64());
    session.put(table, 1L, 1L);
    CqlVersionStore store = store();
    ItemKey littered = new ItemKey("littered", Codecs.int64().encode(2L));
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    Timestamp marker = new Timestamp(now, 7);
    prepare(store, littered, LongStream.range(now - OLD_VERSIONS, now));
    Write committed = write(littered, marker);
    await(store.prepare(List.of(committed)));
    await(store.commit(List.of(committed)));
    prepare(store, littered, LongStream.rangeClosed(now + 1, now + ORPHANS));
    flush("littered");
    assertThat(session.get(table, 2L)).contains(now);

    report("first round", table, store, littered, marker);
    await(store.collect(committed));
    flush("littered");
    report("first round, collected", table, store, littered, marker);
  }

  /** Cassandra looks no further than the newest SSTable for a row that it knows to be whole. */
  @Test
  void aKeyInManySsTablesIsReadFromTheNewest() throws Exception {
    RampTable<Long, Long> table = session.table("rewritten", Codecs.int64(), Codecs.int64());
    cql.execute(
        "ALTER TABLE storage.rewritten WITH compaction ="
            + " {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
    for (long value = 1; value <= 5; value++) {
      session.put(table, 1L, value);
      flush("rewritten");
    }
    BoundStatement read =
        cql.prepare(
                "SELECT body FROM storage.rewritten"
                    + " WHERE partition = ? AND kind = 0 AND item = 0x AND version = 0x")
            .bind(Codecs.int64().encode(1L).toBuffer());
    List<String> events =
        cql.execute(read.setTracing(true)).getExecutionInfo().getQueryTrace().getEvents().stream()
            .map(TraceEvent::getActivity)
            .filter(each -> each.matches("(Key cache hit|Partition index found) for sstable.*"))
            .toList();

    assertThat(events).hasSize(1);
    assertThat(session.get(table, 1L)).contains(5L);
  }

  private void report(
      String what,
      RampTable<Long, Long> table,
      CqlVersionStore store,
      ItemKey littered,
      Timestamp marker)
      throws Exception {
    ItemKey fresh = new ItemKey("littered", Codecs.int64().encode(1L));
    Timestamp orphan = new Timestamp(marker.micros() + 500, 7);
    List<Long> ofFresh = new ArrayList<>();
    List<Long> ofLittered = new ArrayList<>();
    List<Long> secondOfFresh = new ArrayList<>();
    List<Long> secondOfLittered = new ArrayList<>();
    for (int round = 0; round < 100; round++) {
      ofFresh.add(nanos(() -> session.get(table, 1L)));
      ofLittered.add(nanos(() -> session.get(table, 2L)));
      secondOfFresh.add(nanos(() -> candidates(store, fresh, orphan)));
      secondOfLittered.add(nanos(() -> candidates(store, littered, orphan)));
    }
    double first = median(ofLittered) / median(ofFresh);
    double second = median(secondOfLittered) / median(secondOfFresh);
    System.out.printf(
        "StorageIT: %s: key with %,d old versions and %,d orphans %.2f times the latency of a"
            + " fresh one (%.0f us), second round %.2f times%n",
        what, OLD_VERSIONS, ORPHANS, first, median(ofFresh) / 1_000, second);
    assertThat(first).as(what).isLessThan(5);
    assertThat(second).as("second round after " + what).isLessThan(10);
  }

  private static void candidates(CqlVersionStore store, ItemKey key, Timestamp demanded)
      throws Exception {
    await(
        store.readCandidates(List.of(new CandidateQuery(key, Set.of(demanded))), Strength.QUORUM));
  }

  private interface Step {
    void run() throws Exception;
  }

  private static long nanos(Step step) throws Exception {
    long began = System.nanoTime();
    step.run();
    return System.nanoTime() - began;
  }

  private static double median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
  }

  private CqlVersionStore store() throws Exception {
    KeyspaceFacts facts = await(new SchemaReader(cql).keyspace("storage")).orElseThrow();
    return new CqlVersionStore(
        cql,
        facts,
        Levels.forKeyspace(facts),
        CqlStoreOptions.defaults().withMaxInFlight(128),
        OPTIONS);
  }

  private static void prepare(CqlVersionStore store, ItemKey key, LongStream micros)
      throws Exception {
    await(store.prepare(micros.mapToObj(each -> write(key, new Timestamp(each, 7))).toList()));
  }

  private static Write write(ItemKey key, Timestamp timestamp) {
    return new Write(
        key,
        new Version(
            timestamp,
            new SiblingNames(Set.of(key)),
            Optional.of(Codecs.int64().encode(timestamp.micros()))));
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Map<Long, Long> values(long first, int count, long value) {
    Map<Long, Long> values = new HashMap<>();
    for (long key = first; key < first + count; key++) {
      values.put(key, value);
    }
    return values;
  }

  private static List<List<Long>> parts(Collection<Long> keys, int size) {
    List<Long> all = List.copyOf(keys);
    List<List<Long>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      parts.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return parts;
  }

  /** Waits until there is one row for each key, and no other. */
  private void awaitRows(String table, int keys) {
    Awaitility.await("one row a key")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .untilAsserted(
            () -> {
              List<Row> rows = rows(table);
              assertThat(rows).hasSize(keys);
              assertThat(rows).allMatch(row -> row.getInt("kind") == 0);
            });
  }

  private List<Row> rows(String table) {
    return cql.execute("SELECT partition, kind FROM storage." + table).all();
  }

  private void flush(String table) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush("storage", table);
    }
  }

  private long bytesAfterCompaction(String table) throws IOException {
    try (NodeJmx jmx = node.jmx()) {
      jmx.flush("storage", table);
      jmx.invoke(
          "org.apache.cassandra.db:type=StorageService",
          "forceKeyspaceCompaction",
          List.of(boolean.class, String.class, String[].class),
          false,
          "storage",
          new String[] {table});
    }
    // A compaction before that one may be deleting its inputs.
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(NoSuchFileException.class)
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(() -> dataBytes(table), bytes -> true);
  }

  private long dataBytes(String table) throws IOException {
    long bytes = 0;
    for (Path data : Arrays.asList(node.settings().fast(), node.settings().slow())) {
      Path keyspace = data.resolve("storage");
      if (!Files.isDirectory(keyspace)) {
        continue;
      }
      try (var files = Files.walk(keyspace)) {
        for (Path file :
            files
                .filter(each -> each.toString().contains("/" + table + "-"))
                .filter(each -> each.toString().endsWith("-Data.db"))
                .toList()) {
          bytes += Files.size(file);
        }
      }
    }
    return bytes;
  }
}
