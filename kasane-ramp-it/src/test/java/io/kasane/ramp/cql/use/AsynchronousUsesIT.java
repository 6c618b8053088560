/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The twins that do not wait, on a real node, each called on a thread that brings the driver's
 * answers: one that waited there would be refused, or wait for itself.
 */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class AsynchronousUsesIT {
  private CqlSession cql;
  private RampSession session;
  private RampTable<String, String> orders;
  private SecondaryIndex<String, String, String> people;
  private ForeignKey<String, String, String, String> lines;
  private MaterialisedView<String, String, String, String> users;
  private final AtomicReference<Thread> lastOfFunctions = new AtomicReference<>();

  @BeforeAll
  void open(CqlSession driver, RampSession opened) throws Exception {
    cql = driver;
    session = opened;
    orders = session.table("later_orders", Codecs.text(), Codecs.text());
    people =
        inDriver(
            () ->
                SecondaryIndex.openAsync(
                    session,
                    RowTable.of("later_people", Codecs.text(), Codecs.text()),
                    "later_people_by_city",
                    Codecs.text(),
                    city -> {
                      lastOfFunctions.set(Thread.currentThread());
                      return Set.of(city);
                    }));
    lines =
        inDriver(
            () ->
                ForeignKey.openAsync(
                    session,
                    orders,
                    RowTable.of("later_lines", Codecs.text(), Codecs.text()),
                    "later_lines_of_orders",
                    line -> line.substring(0, line.indexOf(':'))));
    users =
        inDriver(
            () ->
                MaterialisedView.openAsync(
                    session,
                    RowTable.of("later_users", Codecs.text(), Codecs.text()),
                    "later_names_by_country",
                    Codecs.text(),
                    Codecs.text(),
                    (id, user) -> Map.of(user.substring(0, 2), user.substring(3))));
  }

  /** Calls on a thread of the driver, and waits here. */
  private <T> T inDriver(Supplier<CompletionStage<T>> call) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    ((InternalDriverContext) cql.getContext())
        .getNettyOptions()
        .ioEventLoopGroup()
        .next()
        .execute(
            () -> {
              try {
                call.get()
                    .whenComplete(
                        (value, failure) -> {
                          if (failure == null) {
                            result.complete(value);
                          } else {
                            result.completeExceptionally(failure);
                          }
                        });
              } catch (RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result.get(30, TimeUnit.SECONDS);
  }

  @Test
  void whatWaitsIsRefusedThere() {
    assertThatThrownBy(
            () -> inDriver(() -> CompletableFuture.completedStage(people.find(session, "Oslo"))))
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("waits for Cassandra and was called on the driver's thread");
  }

  @Test
  void aRowIsFoundWhereItWentAndNotWhereItWas() throws Exception {
    inDriver(() -> people.putAsync(session, "ada", "London"));
    inDriver(() -> people.putAsync(session, "ada", "Paris"));
    assertThat(inDriver(() -> people.findAsync(session, "London"))).isEmpty();
    assertThat(inDriver(() -> people.findAsync(session, "Paris")))
        .containsExactly(Map.entry("ada", "Paris"));
    assertThat(inDriver(() -> people.getAsync(session, "ada"))).contains("Paris");

    inDriver(() -> people.deleteAsync(session, "ada"));
    assertThat(inDriver(() -> people.findAsync(session, "Paris"))).isEmpty();
    assertThat(inDriver(() -> people.getAsync(session, "ada"))).isEmpty();
  }

  @Test
  void valuesAreLookedUpTogether() throws Exception {
    Map<String, String> rows = new HashMap<>(Map.of("fay", "Lima", "gil", "Quito", "hal", "Lima"));
    Set<String> values = new HashSet<>(Set.of("Lima", "Quito", "Nowhere"));
    inDriver(
        () -> {
          CompletionStage<Timestamp> put = people.putAsync(session, rows);
          rows.clear();
          return put;
        });
    assertThat(
            inDriver(
                () -> {
                  var found = people.findAllAsync(session, values);
                  values.clear();
                  return found;
                }))
        .isEqualTo(
            Map.of(
                "Lima", Map.of("fay", "Lima", "hal", "Lima"),
                "Quito", Map.of("gil", "Quito"),
                "Nowhere", Map.of()));
  }

  @Test
  void twoLookUpsAreOneReadTransaction() throws Exception {
    people.put(session, Map.of("ida", "Kyoto", "jim", "Nara"));
    Map<String, String> both =
        inDriver(
            () ->
                session.readTransactionAsync(
                    reader ->
                        people
                            .findAsync(session, reader, "Kyoto")
                            .thenCompose(
                                kyoto ->
                                    people
                                        .findAsync(session, reader, "Nara")
                                        .thenApply(
                                            nara -> {
                                              Map<String, String> all = new HashMap<>(kyoto);
                                              all.putAll(nara);
                                              return all;
                                            }))));
    assertThat(both).isEqualTo(Map.of("ida", "Kyoto", "jim", "Nara"));
  }

  @Test
  void anEntryLeftBehindIsNotReturnedAndCleaned() throws Exception {
    RampRows seen = people.want(session.read(), List.of("cyd")).run();
    RampTransaction first = session.write();
    people.put(seen, first, "cyd", "Turin");
    RampTransaction second = session.write();
    people.put(seen, second, "cyd", "Vienna");
    first.commit();
    second.commit();
    assertThat(people.verify(session.newSession()).stale()).isEqualTo(1);

    assertThat(inDriver(() -> people.findAsync(session, "Turin"))).isEmpty();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(people.verify(session.newSession()).stale()).isZero());
  }

  @Test
  void aFamilyIsReadReplacedAndDeletedWhole() throws Exception {
    inDriver(() -> lines.putAsync(session, "o1", "Ada", Map.of("l1", "o1:figs", "l2", "o1:dates")));
    inDriver(() -> lines.putAsync(session, "o1", "Eva", Map.of("l2", "o1:pears")));
    assertThat(inDriver(() -> lines.familyAsync(session, "o1")))
        .contains(new Family<>("Eva", Map.of("l2", "o1:pears")));
    assertThat(inDriver(() -> lines.childAsync(session, "l1"))).isEmpty();
    assertThat(inDriver(() -> lines.childAsync(session, "l2"))).contains("o1:pears");

    inDriver(() -> lines.deleteAsync(session, "o1"));
    assertThat(inDriver(() -> lines.familyAsync(session, "o1"))).isEmpty();
    assertThat(inDriver(() -> lines.childAsync(session, "l2"))).isEmpty();
  }

  @Test
  void aChildIsPutAndDeletedAlone() throws Exception {
    session.put(orders, "o2", "Bob");
    assertThat(inDriver(() -> lines.putChildAsync(session, "l3", "o2:pears"))).isPresent();
    Optional<Timestamp> orphan = inDriver(() -> lines.putChildAsync(session, "l4", "nobody:figs"));
    assertThat(orphan).isEmpty();
    assertThat(inDriver(() -> lines.familyAsync(session, "o2")))
        .contains(new Family<>("Bob", Map.of("l3", "o2:pears")));

    inDriver(() -> lines.deleteChildAsync(session, "l3"));
    assertThat(inDriver(() -> lines.familyAsync(session, "o2")))
        .contains(new Family<>("Bob", Map.of()));
  }

  @Test
  void aChildWhoseParentIsGoneIsHidden() throws Exception {
    lines.put(session, "o3", "Jim", Map.of("l5", "o3:pears"));
    // What is left when somebody deletes the parent beside the child's insert.
    session.write().delete(orders, "o3").commit();
    assertThat(inDriver(() -> lines.childAsync(session, "l5"))).isEmpty();
  }

  @Test
  void aViewFollowsItsRows() throws Exception {
    inDriver(() -> users.putAsync(session, "u1", "fr Zoe"));
    inDriver(() -> users.putAsync(session, "u2", "fr Max"));
    inDriver(() -> users.putAsync(session, "u1", "it Zoe"));
    assertThat(inDriver(() -> users.rowsAsync(session, "fr"))).isEqualTo(Map.of("u2", "Max"));
    assertThat(inDriver(() -> users.copiesAsync(session, "it"))).isEqualTo(Map.of("u1", "Zoe"));
    inDriver(() -> users.deleteAsync(session, "u2"));
    assertThat(inDriver(() -> users.rowsAsync(session, "fr"))).isEmpty();
    assertThat(inDriver(() -> users.getAsync(session, "u1"))).contains("it Zoe");
  }

  @Test
  void argumentsThatAreWrongAreRefusedAtOnce() {
    assertThatThrownBy(() -> lines.putAsync(session, "o4", "Kim", Map.of("l6", "o5:pears")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("child l6 names the parent o5, not o4");
    assertThatThrownBy(() -> people.getAsync(session, ""))
        .isInstanceOf(InvalidTransactionException.class);
  }

  @Test
  void aStageFailsWithWhatHappened() {
    RampTable<String, String> plain = session.table("later_people", Codecs.text(), Codecs.text());
    session.put(plain, "written by other means", "?");
    try {
      assertThatThrownBy(() -> inDriver(() -> people.getAsync(session, "written by other means")))
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has no stamp of 16 bytes");
    } finally {
      session.delete(plain, Set.of("written by other means"));
    }
  }

  @Test
  void functionsOfWhatWaitsRunOnItsThread() {
    people.put(session, "kim", "Hanoi");
    assertThat(lastOfFunctions).hasValue(Thread.currentThread());
    lastOfFunctions.set(null);
    assertThat(people.find(session, "Hanoi")).containsOnlyKeys("kim");
    assertThat(lastOfFunctions).hasValue(Thread.currentThread());
  }
}
