/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.engine.contract.NaiveProvider;
import io.kasane.engine.health.CircuitBreaker;
import io.kasane.engine.health.ReadBulkhead;
import io.kasane.engine.rows.RowStore;
import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import io.kasane.engine.spi.EngineOptions;
import io.kasane.engine.spi.EngineSnapshot;
import io.kasane.engine.spi.EngineTable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.Unfiltered;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that another thread reads are the same, and one that hangs is left with its place. */
class OffloadedRowsTest {
  private static final Duration MAX_CALL = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int ROWS = 1_000;
  private static final TableMetadata METADATA =
      TableMetadata.builder("ks", "t")
          .partitioner(Murmur3Partitioner.instance)
          .addPartitionKeyColumn("p", UTF8Type.instance)
          .addClusteringColumn("c", Int32Type.instance)
          .addStaticColumn("s", UTF8Type.instance)
          .addRegularColumn("v", UTF8Type.instance)
          .build();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ReadBulkhead gate =
      new ReadBulkhead(
          new CircuitBreaker(System::nanoTime), 1, PATIENCE, MAX_CALL, System::nanoTime);
  private final AtomicInteger calls = new AtomicInteger();
  private EngineTable table;
  private RowStore store;

  /** Runs before that call into the engine. */
  private int faultyCall = -1;

  private Runnable fault = () -> {};
  private Runnable onClose = () -> {};

  @BeforeAll
  static void cassandra() {
    DatabaseDescriptor.clientInitialization();
  }

  @BeforeEach
  void write() {
    table =
        new NaiveProvider(Integer.MAX_VALUE)
            .open(
                new EngineOptions(
                    Path.of("none"), 1L << 30, 16L << 20, EngineOptions.Durability.NONE))
            .table("t");
    store = new RowStore(table);
    PartitionUpdate.SimpleBuilder update =
        PartitionUpdate.simpleBuilder(METADATA, "there").timestamp(1_000_000).nowInSec(1_000);
    update.row().add("s", "static");
    for (int c = 0; c < ROWS; c++) {
      update.row(c).add("v", "v" + c);
    }
    update.addRangeTombstone().start(ROWS).end(2 * ROWS);
    store.merge(METADATA, List.of(update.build().unfilteredIterator()).iterator(), () -> false);
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private UnfilteredRowIterator direct(String key, boolean reversed) {
    return store.read(METADATA, decorated(key), Slices.ALL, ColumnFilter.all(METADATA), reversed);
  }

  private static DecoratedKey decorated(String key) {
    return METADATA.partitioner.decorateKey(ByteBufferUtil.bytes(key));
  }

  private UnfilteredRowIterator handed(String key, boolean reversed) {
    return OffloadedRows.read(
        threads,
        MAX_CALL,
        gate.enter(),
        (pass, isWanted) ->
            store.read(
                METADATA,
                decorated(key),
                Slices.ALL,
                ColumnFilter.all(METADATA),
                reversed,
                from -> closing(new GatedSnapshot(from, pass, null, () -> beforeCall(isWanted)))));
  }

  private EngineSnapshot closing(EngineSnapshot snapshot) {
    return (EngineSnapshot)
        Proxy.newProxyInstance(
            EngineSnapshot.class.getClassLoader(),
            new Class<?>[] {EngineSnapshot.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                onClose.run();
              }
              try {
                return method.invoke(snapshot, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void beforeCall(Runnable isWanted) {
    if (calls.incrementAndGet() == faultyCall) {
      fault.run();
    }
    isWanted.run();
  }

  private static List<Unfiltered> all(UnfilteredRowIterator rows) {
    List<Unfiltered> all = new ArrayList<>();
    rows.forEachRemaining(all::add);
    return all;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldReadTheSameRows(boolean reversed) {
    try (UnfilteredRowIterator direct = direct("there", reversed);
        UnfilteredRowIterator handed = handed("there", reversed)) {
      assertThat(handed.partitionKey()).isEqualTo(direct.partitionKey());
      assertThat(handed.staticRow()).isEqualTo(direct.staticRow());
      assertThat(handed.isReverseOrder()).isEqualTo(reversed);
      assertThat(all(handed)).isEqualTo(all(direct)).hasSizeGreaterThan(ROWS);
      assertThat(gate.readers()).as("nothing is left to be read").isZero();
    }
  }

  @Test
  void shouldSayThatThereIsNothing() {
    assertThat(handed("nowhere", false)).isNull();
    assertThat(gate.readers()).isZero();
  }

  @Test
  void shouldReadNoMoreThanIsAskedFor() {
    try (UnfilteredRowIterator rows = handed("there", false)) {
      rows.next();
      assertThat(calls.get()).as("calls for one row of %d", ROWS).isLessThan(ROWS / 5);
      assertThat(gate.readers()).isOne();
    }
    awaitPlaces();
  }

  private void awaitPlaces() {
    Awaitility.await().atMost(PATIENCE).until(() -> gate.readers() == 0);
  }

  /** Cassandra leaves open what it has not closed yet when one does not close. */
  @Test
  void shouldNotWaitToBeClosed() {
    CountDownLatch answers = new CountDownLatch(1);
    onClose = () -> await(answers);
    UnfilteredRowIterator rows = handed("there", false);
    rows.next();
    rows.close();
    rows.close();
    assertThat(gate.readers()).as("it still has its place").isOne();
    answers.countDown();
    awaitPlaces();
  }

  @Test
  void shouldGiveTheRowsBeforeOneThatCannotBeRead() {
    faultyCall = 40;
    fault =
        () -> {
          throw new EngineException(Kind.CORRUPT, "broken");
        };
    try (UnfilteredRowIterator rows = handed("there", false)) {
      for (int i = 0; i < 10; i++) {
        assertThat(rows.hasNext()).isTrue();
        rows.next();
      }
      assertThatThrownBy(() -> all(rows)).hasMessage("broken");
    }
    assertThat(gate.readers()).isZero();
  }

  /** At the first call, and at a later one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 500})
  void shouldLeaveAReadThatHangs(int call) {
    CountDownLatch answers = new CountDownLatch(1);
    faultyCall = call;
    fault = () -> await(answers);
    assertThatThrownBy(this::readAll)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("stood still");
    assertThat(gate.readers()).as("it still has its place").isOne();
    assertThatThrownBy(gate::enter).hasMessageContaining("all 1 threads");
    answers.countDown();
    awaitPlaces();
    readAll();
    assertThat(gate.readers()).isZero();
  }

  private void readAll() {
    try (UnfilteredRowIterator rows = handed("there", false)) {
      assertThat(all(rows)).hasSizeGreaterThan(ROWS);
    }
  }

  private static void await(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      Thread.onSpinWait(); // not ended by an interrupt, as native code is not
    }
  }

  /** Each call may take its time. */
  @Test
  void shouldWaitForAReadThatIsSlow() {
    faultyCall = 2;
    fault =
        () -> {
          await(MAX_CALL.dividedBy(5)); // in all, three times as long
          if (faultyCall < 20) {
            faultyCall++;
          }
        };
    readAll();
    assertThat(faultyCall).isEqualTo(20);
  }

  private static void await(Duration time) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < time.toNanos()) {
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 500})
  void shouldFailAsTheEngineDoes(int call) {
    faultyCall = call;
    fault =
        () -> {
          throw new EngineException(Kind.CORRUPT, "broken");
        };
    assertThatThrownBy(this::readAll)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CORRUPT))
        .hasMessage("broken");
    assertThat(gate.readers()).isZero();
  }
}
