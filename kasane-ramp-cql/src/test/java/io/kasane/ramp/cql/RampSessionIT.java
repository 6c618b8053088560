/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.kasane.node.LocalCluster;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.schema.TableContract;
import io.kasane.ramp.cql.schema.TableLayout;
import io.kasane.ramp.cql.store.Contracts;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.ClockDriftException;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.UnknownOutcomeException;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.netty.util.concurrent.EventExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Applications on three real nodes that hold three replicas of everything. */
@Tag("node")
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RampSessionIT {
  @TempDir private static Path dir;
  private LocalCluster cluster;
  private CqlSession cql;
  private RampSession session;

  /** More than a session remembers. */
  private static final int MANY_ITEMS = 11_000;

  private RampTable<String, Long> numbers;
  private RampTable<Integer, String> orders;
  private RampCollection<Integer, String, Long> lines;

  @BeforeAll
  void start() {
    cluster = RampNodes.of(3, dir, settings -> {}).start();
    cql = RampNodes.connect(cluster.node(1));
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
    session = RampSession.open(cql, "shop");
    numbers = session.table("numbers", Codecs.text(), Codecs.int64());
    orders = session.table("orders", Codecs.int32(), Codecs.text());
    lines = session.collection("lines", Codecs.int32(), Codecs.text(), Codecs.int64());
  }

  @AfterAll
  void stop() {
    if (session != null) {
      session.close();
    }
    if (cql != null) {
      cql.close();
    }
    cluster.close();
  }

  @Test
  @Order(1)
  void severalTablesAreWrittenAndReadAtOnce() {
    session
        .write()
        .put(orders, 7, "two lines")
        .put(lines, 7, "pear", 3L)
        .put(lines, 7, "apple", 2L)
        .commit();

    RampRows rows = session.read().get(orders, 7, 8).items(lines, 7).items(lines, 8).run();
    assertThat(rows.get(orders, 7)).contains("two lines");
    assertThat(rows.get(orders, 8)).isEmpty();
    assertThat(rows.items(lines, 7)).containsExactly(Map.entry("apple", 2L), Map.entry("pear", 3L));
    assertThat(rows.item(lines, 7, "pear")).contains(3L);
    assertThat(rows.items(lines, 8)).isEmpty();
    assertThatThrownBy(() -> rows.get(orders, 9)).hasMessageContaining("9 of orders is not among");

    RampTransaction once = session.write().put(orders, 7, "one line").delete(lines, 7, "pear");
    once.commit();
    assertThatThrownBy(once::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("RampSession.retry");
    assertThat(session.items(lines, 7)).containsExactly(Map.entry("apple", 2L));
    session.put(orders, Map.of(8, "eight", 9, "nine"));
    assertThat(session.getAll(orders, List.of(7, 8, 9, 10)))
        .isEqualTo(Map.of(7, "one line", 8, "eight", 9, "nine"));
    session.delete(orders, List.of(8, 9));
    assertThat(session.getAll(orders, List.of(7, 8, 9))).containsOnlyKeys(7);
  }

  @Test
  @Order(2)
  void aReadOfManyItemsWritesNothing() {
    RampSession user = session.newSession();
    List<CompletableFuture<Timestamp>> running = new ArrayList<>();
    for (int first = 0; first < MANY_ITEMS; first += 10) {
      RampTransaction items = session.newSession().write();
      for (int item = first; item < first + 10; item++) {
        items.put(lines, 70, "item " + item, (long) item);
      }
      running.add(items.commitAsync().toCompletableFuture());
      if (running.size() == 20) {
        running.forEach(CompletableFuture::join);
        running.clear();
      }
    }
    long settled = session.metrics().floorsSettled();
    long completed = session.metrics().completions();
    for (int times = 0; times < 3; times++) {
      assertThat(user.items(lines, 70)).hasSize(MANY_ITEMS);
    }

    assertThat(session.metrics().floorsSettled()).isEqualTo(settled);
    assertThat(session.metrics().completions()).isEqualTo(completed);
    assertThat(user.token()).hasSize(14);

    RampRange<String> some = RampRange.<String>all().from("item 5").before("item 53").limit(200);
    RampPage<String, Long> page = user.items(lines, 70, some);
    assertThat(page.items()).hasSize(200).containsKeys("item 5", "item 50", "item 5000");
    RampRange<String> rest = page.next().orElseThrow();
    assertThat(user.items(lines, 70, rest)).matches(last -> last.next().isEmpty());
    assertThat(page.items().size() + user.items(lines, 70, rest).items().size())
        .isEqualTo(numbersFrom("5", "53"));
  }

  /** How many numbers there are of which the text lies between these. */
  private static long numbersFrom(String first, String before) {
    return IntStream.range(0, MANY_ITEMS)
        .mapToObj(Integer::toString)
        .filter(text -> text.compareTo(first) >= 0 && text.compareTo(before) < 0)
        .count();
  }

  @Test
  @Order(2)
  void whoIsInterruptedWhileHeCommitsHasAHandle() {
    UnknownOutcomeException unknown = null;
    // Who is interrupted after the answer came has nothing to wait for, and simply goes on.
    for (int times = 0; unknown == null && times < 100; times++) {
      RampTransaction transaction = session.write().put(orders, 71, "written");
      Thread.currentThread().interrupt();
      unknown = catchThrowableOfType(UnknownOutcomeException.class, transaction::commit);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(unknown).isNotNull();

    Timestamp timestamp = session.retry(unknown);
    session.put(orders, 71, "newer");
    assertThat(session.retry(unknown)).isEqualTo(timestamp);
    assertThat(session.get(orders, 71)).contains("newer");
  }

  @Test
  @Order(2)
  void namesThatAreNoneAreRefusedInWords() {
    for (String name : List.of("", "a b", "a.b", "x".repeat(49))) {
      assertThatThrownBy(() -> session.table(name, Codecs.text(), Codecs.text()))
          .isInstanceOf(RefusedSchemaException.class)
          .hasMessageContaining("'" + name + "' is no name of a table");
    }
  }

  @Test
  @Order(2)
  void readTransactionsDependOnWhatTheySaw() {
    session.write().put(orders, 20, "21").put(orders, 21, "end").commit();
    String end =
        session.readTransaction(
            reader -> {
              int next = Integer.parseInt(reader.get(orders, 20).orElseThrow());
              return reader.get(orders, next).orElseThrow();
            });
    assertThat(end).isEqualTo("end");
    for (Function<RampReader, Object> leaves :
        List.<Function<RampReader, Object>>of(
            reader -> session.get(orders, 20), reader -> session.put(orders, 20, "22"))) {
      assertThatThrownBy(() -> session.readTransaction(leaves))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("within a read transaction");
    }
    assertThat(
            session
                .readTransactionAsync(
                    reader ->
                        reader
                            .get(orders, 20)
                            .thenCompose(
                                next -> reader.get(orders, Integer.valueOf(next.orElseThrow()))))
                .toCompletableFuture()
                .join())
        .contains("end");
    assertThatThrownBy(
            () ->
                session.readTransaction(
                    reader -> {
                      throw new IllegalStateException("of the application");
                    }))
        .hasMessage("of the application");
  }

  @Test
  @Order(3)
  void oneKeyIsReadAndWrittenByTurns() {
    for (int i = 0; i < 5; i++) {
      session.readModifyWrite(numbers, "counter", value -> Optional.of(value.orElse(0L) + 1));
    }
    assertThat(session.get(numbers, "counter")).contains(5L);
    // The function runs on this thread, which may wait.
    session.readModifyWrite(
        numbers, "counter", value -> session.get(numbers, "counter").filter(seen -> seen != 5L));
    assertThat(session.get(numbers, "counter")).isEmpty();
    session
        .readModifyWriteAsync(numbers, "counter", value -> Optional.of(value.orElse(6L) + 1))
        .toCompletableFuture()
        .join();
    assertThat(session.get(numbers, "counter")).contains(7L);
  }

  @Test
  @Order(4)
  void aTokenCarriesWhatWasSeen() {
    RampSession other = RampSession.open(cql, "shop");
    try (other) {
      session.put(orders, 30, "written here");
      RampSession resumed = other.resume(session.token());
      assertThat(resumed.get(orders, 30)).contains("written here");
      assertThatThrownBy(() -> other.resume("no token"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Order(5)
  void waitingOnADriverThreadIsRefused() {
    // What a stage is given runs on the caller's thread if the answer came first: not asked here.
    EventExecutor driver =
        ((InternalDriverContext) cql.getContext()).getNettyOptions().ioEventLoopGroup().next();
    assertThatThrownBy(() -> driver.submit(() -> session.get(orders, 8)).get())
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("which brings the answer");
    assertThatThrownBy(() -> driver.submit(() -> session.put(orders, 8, "never")).get())
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("methods that end in Async");
  }

  @Test
  @Order(6)
  void aKeyspaceThatDoesNotSuitIsRefused() {
    assertThatThrownBy(() -> RampSession.open(cql, "nowhere"))
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("Keyspace nowhere does not exist");
    cql.execute(
        "CREATE KEYSPACE forgetful WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
            + " AND durable_writes = false");
    assertThatThrownBy(() -> RampSession.open(cql, "forgetful"))
        .isInstanceOf(RefusedSchemaException.class)
        .hasMessageContaining("durable_writes = false");
  }

  @Test
  @Order(6)
  void aClockFarFromTheNodesIsRefused() {
    for (Duration skew : List.of(Duration.ofHours(1), Duration.ofSeconds(-20))) {
      RampSessionBuilder wrong = RampSession.builder(cql, "shop").clockSkew(skew);
      assertThatThrownBy(wrong::build)
          .isInstanceOf(ClockDriftException.class)
          .hasMessageContaining(skew.isNegative() ? " ms behind the nodes'" : " ms ahead of the");
    }
    RampSession.builder(cql, "shop").clockSkew(Duration.ofSeconds(10)).build().close();
  }

  @Test
  @Order(7)
  void readersSeeWholeTransactionsInAllModes() throws Exception {
    allowAllModes("numbers");
    List<RampSession> sessions = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      RampOptions options = RampOptions.defaults().withMode(mode).withFilterFalsePositives(0.5);
      sessions.add(RampSession.builder(cql, "shop").options(options).build());
    }
    WholeGroups groups = new WholeGroups(numbers, 3);
    groups.run(sessions, 50, () -> {});
    for (int group = 0; group < 3; group++) {
      groups.requireWhole(session, group);
    }
    assertThat(groups.failures.sum()).as("failures").isZero();
    assertThat(groups.writes.sum()).isEqualTo(150);
    assertThat(groups.reads.sum()).isPositive();
    // Somebody's readers met somebody's writers.
    assertThat(sessions).anyMatch(each -> each.metrics().secondRoundShare() > 0);
    sessions.forEach(RampSession::close);
  }

  /** As an operator does. */
  private void allowAllModes(String table) {
    TableContract contract = Contracts.of(RampOptions.defaults(), storeOfAnotherClient().levels());
    cql.execute(
        "ALTER TABLE shop."
            + table
            + " WITH comment = '"
            + TableLayout.comment(contract).replace("mode=FAST", "mode=ANY")
            + "'");
  }

  @Test
  @Order(8)
  void clientsThatDoNotShareWhatTheyMustAreRefused() {
    RampOptions hasty =
        RampOptions.defaults()
            .withDeadline(Duration.ofMillis(450))
            .withGcWindow(Duration.ofSeconds(1));
    try (RampSession other = RampSession.builder(cql, "shop").options(hasty).build()) {
      assertThatThrownBy(() -> other.table("orders", Codecs.int32(), Codecs.text()))
          .isInstanceOf(RefusedSchemaException.class)
          .hasMessageContaining("gcWindow is PT1M in the table and PT1S here");
      assertThatThrownBy(() -> other.get(orders, 1)).hasMessageContaining("gcWindow is PT1M");
    }
    RampSessionBuilder adopting =
        RampSession.builder(cql, "shop").options(hasty.withMode(Mode.SMALL)).asTable("orders");
    try (RampSession other = adopting.build()) {
      other.put(orders, 80, "as all others");
      assertThat(other.get(orders, 80)).contains("as all others");
    }
  }

  @Test
  @Order(8)
  void blindAddsFromManyThreadsAllStay() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> adders = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int adder = i;
        adders.add(
            threads.submit(
                () -> {
                  for (int item = 0; item < 40; item++) {
                    session.write().put(lines, 40, adder + "-" + item, (long) item).commit();
                  }
                }));
      }
      for (Future<?> adder : adders) {
        adder.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(session.newSession().items(lines, 40)).hasSize(8 * 40);
  }

  @Test
  @Order(9)
  void aClientMayDieBetweenAnyTwoOfItsSteps() throws Exception {
    session.put(orders, Map.of(50, "before", 51, "before"));
    CqlVersionStore store = storeOfAnotherClient();
    Set<ItemKey> both = Set.of(orders.keyOf(50), orders.keyOf(51));
    long later = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + 1000;

    // Dies behind PREPARE: nobody has seen it, nobody will.
    List<Write> unseen = writes(both, new Timestamp(later, 1), "unseen");
    store.prepare(unseen).toCompletableFuture().get(30, TimeUnit.SECONDS);
    assertThat(session.newSession().getAll(orders, List.of(50, 51)))
        .isEqualTo(Map.of(50, "before", 51, "before"));

    // Dies within COMMIT: one key tells of the other.
    List<Write> half = writes(both, new Timestamp(later + 1000, 1), "after");
    store.prepare(half).toCompletableFuture().get(30, TimeUnit.SECONDS);
    store.commit(half.subList(0, 1)).toCompletableFuture().get(30, TimeUnit.SECONDS);
    RampSession reader = session.newSession();
    assertThat(reader.getAll(orders, List.of(50, 51))).isEqualTo(Map.of(50, "after", 51, "after"));
    // And a reader has committed it in the dead one's place.
    Awaitility.await()
        .atMost(30, TimeUnit.SECONDS)
        .untilAsserted(
            () -> {
              assertThat(session.newSession().get(orders, 50)).contains("after");
              assertThat(session.newSession().get(orders, 51)).contains("after");
            });
  }

  private CqlVersionStore storeOfAnotherClient() {
    KeyspaceFacts shop =
        KeyspaceFacts.of(
            "shop", Map.of("class", "NetworkTopologyStrategy", "datacenter1", "3"), true);
    return new CqlVersionStore(cql, shop, Levels.forKeyspace(shop), CqlStoreOptions.defaults());
  }

  private static List<Write> writes(Set<ItemKey> keys, Timestamp timestamp, String value) {
    Version version =
        new Version(timestamp, new SiblingNames(keys), Optional.of(Bytes.utf8(value)));
    return keys.stream().sorted().map(key -> new Write(key, version)).toList();
  }

  /** The last: the node stays down. */
  @Test
  @Order(11)
  void oneNodeMayBeKilledMeanwhile() throws Exception {
    WholeGroups groups = new WholeGroups(numbers, 3);
    List<RampSession> sessions = List.of(session, session.newSession(), session.newSession());
    groups.run(sessions, 60, () -> cluster.node(3).kill9());
    for (int group = 0; group < 3; group++) {
      groups.requireWhole(session.newSession(), group);
    }
    // Two of three replicas are a quorum; what failed was on its way to the third.
    assertThat(groups.writes.sum()).as("%s failed", groups.failures).isGreaterThan(150);
  }
}
