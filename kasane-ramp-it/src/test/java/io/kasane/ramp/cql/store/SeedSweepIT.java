/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.schema.KeyspaceFacts;
import io.kasane.ramp.cql.schema.SchemaReader;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.RampOptions;
import io.kasane.ramp.store.TableStore;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A seed stands still between its look and its commit, while its item is deleted and swept. */
@Tag("node")
@ExtendWith(UsesNode.class)
class SeedSweepIT {
  private static final String TABLE = "seed_swept";
  private static final RampOptions SHORTLY =
      RampOptions.defaults()
          .withDeadline(Duration.ofMillis(200))
          .withGcWindow(Duration.ofMillis(500))
          .withGcGrace(Duration.ofSeconds(2))
          .withMaxClockDrift(Duration.ZERO);

  private CqlSession cql;
  private KeyspaceFacts keyspace;
  private final AtomicInteger commits = new AtomicInteger();

  @Test
  void theDeletionOutlivesItsTimeToLive(CqlSession session) throws Exception {
    cql = session;
    keyspace = get(new SchemaReader(cql).keyspace("uses")).orElseThrow();
    try (RampSession deleter = RampSession.over(store(), SHORTLY);
        RampSession seeder =
            RampSession.over(late(store(), () -> deleteAndSweep(deleter)), SHORTLY);
        RampSession reader = RampSession.over(store(), SHORTLY)) {
      RampCollection<String, Integer, String> list = list(seeder);
      list(deleter);

      seeder
          .seedAsync(List.of(list.seed("a", 1, "from before")), 7)
          .whenComplete((written, deadline) -> {});
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> commits.get() == 2);
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rows(-2) == 0);

      assertThat(rows(1)).as("where readers begin").isEqualTo(1);
      assertThat(reader.items(list(reader), "a")).isEmpty();
      assertThat(reader.newSession().read().item(list, "a", 1).run().item(list, "a", 1)).isEmpty();
    }
  }

  private static RampCollection<String, Integer, String> list(RampSession session) {
    return session.collection(TABLE, Codecs.text(), Codecs.int32(), Codecs.text());
  }

  private CqlVersionStore store() {
    return new CqlVersionStore(
        cql, keyspace, Levels.forKeyspace(keyspace), CqlStoreOptions.defaults(), SHORTLY);
  }

  private void deleteAndSweep(RampSession deleter) {
    // Its own deadline is short on a busy machine.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(() -> deleter.write().delete(list(deleter), "a", 1).commit() != null);
    // As a process that ends: it would forget the deletion in order.
    deleter.close();
    CqlVersionStore sweeper = store();
    Bytes partition = Codecs.text().encode("a");
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(
            () -> {
              get(sweeper.openSweep(TABLE, partition));
              return true;
            });
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .until(
            () -> {
              get(sweeper.sweep(TABLE, partition));
              return true;
            });
    assertThat(rows(0)).as("swept").isZero();
  }

  private long rows(int kind) {
    return cql.execute(
            "SELECT count(*) FROM uses.seed_swept WHERE partition = ? AND kind = ?",
            Codecs.text().encode("a").toBuffer(),
            kind)
        .one()
        .getLong(0);
  }

  /** Does something before the first commit, on a thread that may wait. */
  private TableStore late(TableStore store, Runnable before) {
    return (TableStore)
        Proxy.newProxyInstance(
            SeedSweepIT.class.getClassLoader(),
            new Class<?>[] {TableStore.class},
            (proxy, method, arguments) -> {
              try {
                if (!method.getName().equals("commit")) {
                  return method.invoke(store, arguments);
                }
                CompletableFuture<Void> first =
                    commits.get() == 0
                        ? CompletableFuture.runAsync(before)
                        : CompletableFuture.completedFuture(null);
                return first
                    .thenCompose(
                        done -> {
                          @SuppressWarnings("unchecked")
                          CompletionStage<Void> commit =
                              store.commit((Collection<Write>) arguments[0]);
                          return commit;
                        })
                    .thenRun(commits::incrementAndGet);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
