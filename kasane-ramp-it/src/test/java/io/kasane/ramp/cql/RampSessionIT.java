/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.kasane.ramp.cql.schema.RefusedSchemaException;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.ClockDriftException;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.protocol.UnknownOutcomeException;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/** Applications on a real node; those that want several replicas are in {@link ReplicasIT}. */
@Tag("node")
@ExtendWith(UsesNode.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RampSessionIT {
  private CqlSession cql;
  private RampSession session;
  private RampTable<String, Long> numbers;
  private RampTable<Integer, String> orders;
  private RampCollection<Integer, String, Long> lines;

  @BeforeAll
  void start(CqlSession driver) {
    cql = driver;
    cql.execute(
        "CREATE KEYSPACE shop WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
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
    cql.execute("DROP KEYSPACE IF EXISTS shop");
    cql.execute("DROP KEYSPACE IF EXISTS forgetful");
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
}
