/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.kasane.it.tier.NodeLocal;
import io.kasane.it.tier.Tiered;
import io.kasane.node.LocalCluster;
import io.kasane.node.LocalNode;
import io.kasane.testkit.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * An engine stops for long on one of three nodes, which goes on coordinating, writes to other
 * tables, flushes them and hints.
 *
 * <p>{@code -Dkasane.outage.seconds=600} says for how long, {@code -Dkasane.outage.fault=full} what
 * the engine does. {@code -Dkasane.outage.engine=redis} is an engine whose server is stopped.
 */
@Tag("node")
@Tag("campaign")
@Tag("cluster")
@EnabledIf("isWanted")
class EngineOutageIT {
  private static final Duration OUTAGE =
      Duration.ofSeconds(TestRun.size("kasane.outage.seconds", 0, 120));
  private static final Duration BESIDE = Duration.ofSeconds(60);
  private static final String FAULT = System.getProperty("kasane.outage.fault", "throw");
  private static final String FAULTY = "faulty";
  private static final String ENGINE = System.getProperty("kasane.outage.engine", FAULTY);
  private static final Map<String, String> PID_FILES =
      Map.of("redis", "redis.pid", "innodb", "mariadb.pid");

  /** Until others know, reads of its tables may fail. */
  private static final Duration MAX_FAILURES = Duration.ofSeconds(5);

  private static final String ON_ENGINE = "on_engine";
  private static final String OTHER = "other";
  private static final int OTHER_KEYS = 10_000;
  private static final Duration FLUSHES = Duration.ofSeconds(5);

  /** As many before as while the engine is out, so that both leave the same to the other table. */
  private static final int ROWS_A_SECOND = 200;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path dir;

  private final EngineRing ring = new EngineRing();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicLong otherOperations = new AtomicLong();
  private final AtomicLong otherFlushes = new AtomicLong();
  private final AtomicLong failedReads = new AtomicLong();

  /** How long after the begin of the outage the last read failed. */
  private final AtomicLong lastFailureNanos = new AtomicLong();

  private volatile long outSinceNanos;
  private Path faults;
  private LocalNode ill;
  private LocalNode sound;
  private LocalNode away;

  static boolean isWanted() {
    return OUTAGE.toSeconds() > 0;
  }

  @BeforeEach
  void start() throws Exception {
    faults = dir.resolve("fault");
    LocalCluster cluster =
        LocalCluster.builder(
                EngineNodes.distribution(dir.resolve("dist"), jar -> true, EngineNodes.faultyJar()),
                dir.resolve("nodes"))
            .isolated()
            .nodes(3)
            .each(
                settings ->
                    settings
                        .heap("700m")
                        .jvmFlag("-Dkasane.fault_file=" + faults)
                        .jvmFlag("-Dcassandra.enable_nodelocal_queries=true"))
            .build();
    ill = node(cluster, 1, ENGINE);
    sound = node(cluster, 2, "");
    away = node(cluster, 3, "");
    Stream.of(ill, sound, away).forEach(LocalNode::start);
    ring.running(ill, sound, away);
    EngineNodes.createKeyspace(ring.session(), 3);
    ring.awaitSchema();
    EngineNodes.createTable(ring.session(), ON_ENGINE, "store");
    ring.awaitSchema();
    EngineNodes.createTable(ring.session(), OTHER, "default");
    ring.awaitSchema();
  }

  private static LocalNode node(LocalCluster cluster, int number, String engine) {
    return cluster
        .node(number)
        .with(settings -> EngineNodes.memtables(settings, Map.of("default", "", "store", engine)));
  }

  @AfterEach
  void stop() {
    ends.set(true);
    threads.shutdownNow();
    ring.close();
    Stream.of(ill, sound, away).forEach(LocalNode::kill9);
  }

  @Test
  void shouldMissNothingAndHoldUpNobodyElse() throws Exception {
    List<Future<?>> clients = new ArrayList<>();
    clients.add(threads.submit(this::writeOnEngine));
    clients.add(threads.submit(this::useOther));
    clients.add(threads.submit(this::flush));
    clients.add(threads.submit(this::readOnEngine));
    runFor("warming up", BESIDE);
    double before = runFor("before", BESIDE);

    outSinceNanos = System.nanoTime();
    breakEngine();
    assertThatExceptionOfType(DriverException.class).isThrownBy(this::readItsReplica);
    long flushesBefore = otherFlushes.get();
    double during = runFor("out (" + what() + ")", OUTAGE);
    System.out.printf(
        "%d reads failed, the last one after %.1f s%n",
        failedReads.get(), lastFailureNanos.get() / 1e9);
    assertThat(lastFailureNanos.get()).isLessThan(MAX_FAILURES.toNanos());
    assertThat(otherFlushes.get() - flushesBefore)
        .as("flushes of the other table")
        .isGreaterThan(OUTAGE.dividedBy(FLUSHES) / 2);
    assertThat(EngineNodes.sstables(ill, ON_ENGINE)).as("SSTables that wait").isNotEmpty();
    int hintedFrom = acknowledged.get();
    away.stop();
    int hintedTo = Math.max(acknowledged.get(), hintedFrom + 200);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.get() > hintedTo);
    away.start();
    Tiered.awaitAllSeeAll(List.of(ill, sound, away));
    ends.set(true);
    for (Future<?> client : clients) {
      client.get(); // none failed
    }
    ring.running(ill, sound, away);
    requireAll(away); // by hints of a node whose engine is out

    mendEngine();
    ring.awaitMovedIn(ill, List.of("type=Table,keyspace=k,scope=" + ON_ENGINE));
    for (LocalNode node : ring.nodes()) {
      requireAll(node);
    }
    ends.set(false);
    Future<?> again = threads.submit(this::useOther);
    runFor("warming up", BESIDE);
    double after = runFor("after", BESIDE);
    ends.set(true);
    again.get();
    System.out.printf(
        "outage of %d s (%s): other table %.0f/s, %.2f of before; afterwards %.0f/s; %,d rows on"
            + " each of three nodes%n",
        OUTAGE.toSeconds(), what(), during, during / before, after, acknowledged.get());
    assertThat(ill.log().errors()).noneMatch(line -> line.contains("OutOfMemory"));
  }

  private static String what() {
    return ENGINE.equals(FAULTY) ? FAULT : "server of " + ENGINE + " stopped";
  }

  private void breakEngine() throws IOException, InterruptedException {
    if (ENGINE.equals(FAULTY)) {
      Files.writeString(faults, FAULT);
    } else {
      signal("STOP");
    }
  }

  private void mendEngine() throws IOException, InterruptedException {
    if (ENGINE.equals(FAULTY)) {
      Files.delete(faults);
    } else {
      signal("CONT");
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    Path directory = ill.settings().engineDirectory().resolve(ENGINE);
    String pid = Files.readString(directory.resolve(PID_FILES.get(ENGINE))).strip();
    assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
  }

  /** By any node, of what two others have, too. */
  private void readOnEngine() {
    CqlSession session = ring.session();
    String select = "SELECT v FROM k." + ON_ENGINE + " WHERE id = ?";
    List<LocalNode> coordinators = List.of(ill, sound);
    for (int i = 0; !ends.get(); i++) {
      int id = acknowledged.get() - 1 - i % 100;
      SimpleStatement read = SimpleStatement.newInstance(select, Math.max(0, id));
      try {
        session.execute(
            ring.at(coordinators.get(i % 2), DefaultConsistencyLevel.QUORUM).apply(read));
      } catch (DriverException e) {
        failedReads.incrementAndGet();
        lastFailureNanos.set(System.nanoTime() - outSinceNanos);
      }
    }
  }

  /** The snitch may have preferred the others before. */
  private void readItsReplica() {
    SimpleStatement read = SimpleStatement.newInstance("SELECT v FROM k." + ON_ENGINE);
    ring.session().execute(ring.at(ill, NodeLocal.INSTANCE).apply(read));
  }

  /** Returns how many operations of the other table ended each second. */
  private double runFor(String what, Duration time) {
    long from = otherOperations.get();
    int rows = acknowledged.get();
    long began = System.nanoTime();
    Awaitility.await()
        .atMost(time.plusMinutes(1))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> System.nanoTime() - began >= time.toNanos());
    double seconds = (System.nanoTime() - began) / 1e9;
    double rate = (otherOperations.get() - from) / seconds;
    System.out.printf(
        "%s: other table %.0f/s, rows on the engine %.0f/s%n",
        what, rate, (acknowledged.get() - rows) / seconds);
    return rate;
  }

  /** By the node whose engine is out. */
  private void writeOnEngine() {
    CqlSession session = ring.session();
    String insert = "INSERT INTO k." + ON_ENGINE + " (id, c, v) VALUES (?, ?, ?)";
    long began = System.nanoTime();
    for (int id = 0; !ends.get(); id++) {
      LockSupport.parkNanos(
          began + TimeUnit.SECONDS.toNanos(1) / ROWS_A_SECOND * id - System.nanoTime());
      session.execute(
          ring.at(ill, DefaultConsistencyLevel.QUORUM)
              .apply(SimpleStatement.newInstance(insert, id, id % 7, "v" + id)));
      acknowledged.set(id + 1);
    }
  }

  private void useOther() {
    CqlSession session = ring.session();
    String insert = "INSERT INTO k." + OTHER + " (id, c, v) VALUES (?, ?, ?)";
    String select = "SELECT v FROM k." + OTHER + " WHERE id = ?";
    for (int i = 0; !ends.get(); i++) {
      int id = i % OTHER_KEYS;
      SimpleStatement statement =
          i % 2 == 0
              ? SimpleStatement.newInstance(insert, id, id % 7, "v" + id)
              : SimpleStatement.newInstance(select, id - 1);
      session.execute(ring.at(ill, DefaultConsistencyLevel.LOCAL_ONE).apply(statement));
      otherOperations.incrementAndGet();
    }
  }

  private void flush() {
    while (!ends.get()) {
      long began = System.nanoTime();
      EngineNodes.flush(ill, OTHER);
      otherFlushes.incrementAndGet();
      EngineNodes.flush(ill, ON_ENGINE);
      Awaitility.await()
          .forever()
          .until(() -> ends.get() || System.nanoTime() - began >= FLUSHES.toNanos());
    }
  }

  private void requireAll(LocalNode node) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2)) // hints come by and by
        .untilAsserted(
            () -> {
              BitSet missing = new BitSet();
              missing.set(0, acknowledged.get());
              ring.session()
                  .execute(
                      ring.at(node, NodeLocal.INSTANCE)
                          .apply(SimpleStatement.newInstance("SELECT id FROM k." + ON_ENGINE)))
                  .forEach(row -> missing.clear(row.getInt(0)));
              assertThat(missing.cardinality()).as("rows that %s lacks", node).isZero();
            });
  }
}
