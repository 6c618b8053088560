/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.StoreException;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import io.kasane.testkit.TestRun;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commits that take longer than the window between the steps of sweeps, which never stop. */
@Tag("node")
@Tag("campaign")
@ExtendWith(UsesNode.class)
class SweepRaceIT {
  private static final String TABLE = "swept";
  private static final int COLLECTIONS = 3;
  private static final int WRITERS = 4;
  private static final int ITEMS_OF_WRITER = 20;
  private static final int COMMITS_OF_WRITER = TestRun.size("kasane.ramp.commits", 25, 600);
  private static final Duration WINDOW = Duration.ofMillis(200);
  private static final RampOptions SHARED =
      RampOptions.defaults().withDeadline(Duration.ofMillis(90)).withGcWindow(WINDOW);

  private final long seed = TestRun.seed();
  private final AtomicInteger sweeps = new AtomicInteger();
  private volatile boolean ended;
  private CqlSession cql;
  private KeyspaceFacts keyspace;

  @Test
  void whatIsAcknowledgedIsSeenByNameAndInItsCollection(CqlSession session) throws Exception {
    System.out.println("seed " + seed);
    cql = session;
    keyspace = get(new SchemaReader(cql).keyspace("uses")).orElseThrow();
    get(store(cql).open(TABLE));
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
    try {
      List<Future<Map<ItemKey, Version>>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        writers.add(threads.submit(new Writer(writer)));
      }
      List<Future<?>> sweepers =
          List.of(threads.submit(this::sweepOn), threads.submit(this::sweepOn));
      Map<ItemKey, Version> acknowledged = new HashMap<>();
      for (Future<Map<ItemKey, Version>> writer : writers) {
        acknowledged.putAll(writer.get());
      }
      ended = true;
      for (Future<?> sweeper : sweepers) {
        sweeper.get();
      }
      for (Map.Entry<ItemKey, Version> item : acknowledged.entrySet()) {
        verify(store(cql), item.getKey(), item.getValue());
      }
      assertThat(sweeps.get()).isGreaterThan(COLLECTIONS);
    } finally {
      ended = true;
      threads.shutdownNow();
    }
  }

  private Void sweepOn() throws Exception {
    CqlVersionStore store = store(cql);
    while (!ended) {
      for (int number = 0; number < COLLECTIONS; number++) {
        get(store.openSweep(TABLE, partition(number)));
      }
      for (int number = 0; number < COLLECTIONS; number++) {
        sweep(store, partition(number));
      }
    }
    return null;
  }

  /** As soon as the store takes it. */
  private void sweep(CqlVersionStore store, Bytes partition) throws Exception {
    while (true) {
      try {
        get(store.sweep(TABLE, partition));
        sweeps.incrementAndGet();
        return;
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("not opened");
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  private CqlVersionStore store(CqlSession session) {
    return new CqlVersionStore(
        session, keyspace, Levels.forKeyspace(keyspace), CqlStoreOptions.defaults(), SHARED);
  }

  private static Bytes partition(int number) {
    return Bytes.utf8("collection " + number);
  }

  private static void verify(CqlVersionStore store, ItemKey key, Version last) throws Exception {
    assertThat(get(store.readCommitted(List.of(key), Strength.QUORUM)).get(0))
        .as("%s by name", key)
        .isEqualTo(new Answer.Present(last));
    Version shown =
        get(store.readItems(ItemRange.all(TABLE, key.partition()), Strength.QUORUM))
            .versions()
            .get(key);
    if (!last.isDeletion()) {
      assertThat(shown).as("%s in its collection", key).isEqualTo(last);
    } else if (shown != null) {
      assertThat(shown.isDeletion()).as("%s is deleted in its collection", key).isTrue();
    }
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  /** Some statements leave later than they were sent, by up to three windows. */
  private static CqlSession late(CqlSession session, Random random) {
    return (CqlSession)
        Proxy.newProxyInstance(
            SweepRaceIT.class.getClassLoader(),
            new Class<?>[] {CqlSession.class},
            (proxy, method, arguments) -> {
              try {
                long millis = random.nextInt(8) == 0 ? random.nextInt(600) : 0;
                if (millis == 0
                    || !method.getName().equals("executeAsync")
                    || !(arguments[0] instanceof Statement<?> statement)) {
                  return method.invoke(session, arguments);
                }
                return CompletableFuture.supplyAsync(
                        () -> session.executeAsync(statement),
                        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                    .thenCompose(sent -> sent);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Commits versions of items of its own, one at a time; some come long after newer ones. */
  private final class Writer implements Callable<Map<ItemKey, Version>> {
    private final int number;
    private final Random random;
    private final CqlVersionStore store;
    private final Map<ItemKey, Version> last = new HashMap<>();
    private long micros = 1_000_000;

    Writer(int number) {
      this.number = number;
      this.random = new Random(seed + number);
      this.store = store(late(cql, new Random(seed - number)));
    }

    @Override
    public Map<ItemKey, Version> call() throws Exception {
      for (int commit = 0; commit < COMMITS_OF_WRITER && !ended; commit++) {
        ItemKey key = key();
        Version version = version(key);
        get(store.commit(List.of(new Write(key, version))));
        last.merge(
            key, version, (old, fresh) -> fresh.timestamp().isAfter(old.timestamp()) ? fresh : old);
        if (random.nextInt(4) == 0) {
          get(store.collect(new Write(key, last.get(key))));
        }
        verify(store, key, last.get(key));
      }
      return last;
    }

    private ItemKey key() {
      String item = String.format("%d of %d", random.nextInt(ITEMS_OF_WRITER), number);
      return new ItemKey(TABLE, partition(random.nextInt(COLLECTIONS)), Bytes.utf8(item));
    }

    private Version version(ItemKey key) {
      micros += 2;
      Version newest = last.get(key);
      boolean late = newest != null && random.nextInt(4) == 0;
      Timestamp timestamp =
          late
              ? new Timestamp(newest.timestamp().micros() - 1, number)
              : new Timestamp(micros, number);
      Optional<Bytes> value =
          random.nextInt(10) < 6 ? Optional.empty() : Optional.of(Bytes.utf8("at " + micros));
      return new Version(timestamp, new SiblingNames(Set.of(key)), value);
    }
  }
}
