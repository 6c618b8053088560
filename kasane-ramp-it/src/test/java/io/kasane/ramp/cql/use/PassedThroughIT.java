/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static io.kasane.testkit.StockTools.nodetool;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.node.LocalNode;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.store.CqlStoreOptions;
import io.kasane.ramp.cql.store.CqlVersionStore;
import io.kasane.ramp.cql.store.Levels;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.version.ItemRange;
import io.kasane.testkit.TestRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many rows pass through one value of an index; one stays. */
@Tag("node")
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class PassedThroughIT {
  private static final int PASSED = TestRun.size("kasane.ramp.passed", 400, 20_000);
  private static final boolean LONG = PASSED > 10_000;
  private static final int AT_ONCE = 5;
  private static final int THREADS = LONG ? 8 : 4;
  private static final int LOOKS = LONG ? 101 : 31;

  /** As many deletions may be met before they are swept. */
  private static final int MAX_ITEMS = 129;

  private static final RampOptions OPTIONS =
      RampOptions.defaults()
          .withDeadline(Duration.ofSeconds(1))
          .withGcWindow(Duration.ofSeconds(LONG ? 61 : 3))
          .withDeadline(Duration.ofMillis(LONG ? 30_000 : 1_400))
          .withMaxClockDrift(Duration.ofSeconds(1));

  private LocalNode node;
  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void start(LocalNode shared, CqlSession driver) {
    node = shared;
    cql = driver;
    session = RampSession.builder(cql, "uses").options(OPTIONS).build();
  }

  @AfterAll
  void stop() {
    session.close();
  }

  @Test
  void shouldReadWhatIsLive() throws Exception {
    SecondaryIndex<Integer, Integer, Integer> index =
        SecondaryIndex.open(
            session,
            RowTable.of("jobs", Codecs.int32(), Codecs.int32()),
            "jobs_by_state",
            Codecs.int32(),
            Set::of);
    index.put(session, 0, 1);
    index.put(session, -1, 2);
    medianMicros(index, 1, LOOKS); // before the machine is warm
    long alone = medianMicros(index, 1, LOOKS);
    pass(index);
    long before = medianMicros(index, 1, 5);
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              assertThat(index.find(session.newSession(), 1)).containsOnlyKeys(0);
              return items() <= MAX_ITEMS;
            });
    long after = medianMicros(index, 1, LOOKS);
    nodetool(node, "compact", "uses", "jobs_by_state");
    System.out.printf(
        "%,d passed through: a look-up of one live row takes %,d us, %,d before they are swept,"
            + " %,d after, %,d after a compaction; of none %,d%n",
        PASSED, alone, before, after, medianMicros(index, 1, LOOKS), medianMicros(index, 2, LOOKS));
    assertThat(session.metrics().sweeps()).isPositive();
    assertThat(index.verify(session)).isEqualTo(new Check(PASSED + 2, 0, 0, 0));
  }

  private void pass(SecondaryIndex<Integer, Integer, Integer> index) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Void>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int first = 1 + thread * AT_ONCE;
      running.add(
          threads.submit(
              (Callable<Void>)
                  () -> {
                    for (int from = first; from <= PASSED; from += THREADS * AT_ONCE) {
                      index.put(session.newSession(), some(from, 1));
                      index.put(session.newSession(), some(from, 3 + from));
                    }
                    return null;
                  }));
    }
    for (Future<Void> one : running) {
      one.get();
    }
    threads.shutdown();
  }

  private static Map<Integer, Integer> some(int from, int value) {
    Map<Integer, Integer> some = new HashMap<>();
    for (int row = from; row < from + AT_ONCE && row <= PASSED; row++) {
      some.put(row, value);
    }
    return some;
  }

  /** How many rows a read of the entries goes through. */
  private int items() throws Exception {
    var facts = new SchemaReader(cql).keyspace("uses").toCompletableFuture().get().orElseThrow();
    CqlVersionStore store =
        new CqlVersionStore(
            cql, facts, Levels.forKeyspace(facts), CqlStoreOptions.defaults(), OPTIONS);
    return store
        .readItems(ItemRange.all("jobs_by_state", Codecs.int32().encode(1)), Strength.QUORUM)
        .toCompletableFuture()
        .get()
        .versions()
        .size();
  }

  private long medianMicros(SecondaryIndex<Integer, Integer, Integer> index, int value, int looks) {
    List<Long> micros = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      long began = System.nanoTime();
      assertThat(index.find(session.newSession(), value)).hasSize(1);
      micros.add((System.nanoTime() - began) / 1_000);
    }
    return micros.stream().sorted().skip(looks / 2).findFirst().orElseThrow();
  }
}
