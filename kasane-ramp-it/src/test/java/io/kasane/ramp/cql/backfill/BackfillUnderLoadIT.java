/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import static io.kasane.ramp.cql.backfill.PlainTable.textOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.use.Check;
import io.kasane.ramp.cql.use.Family;
import io.kasane.ramp.cql.use.ForeignKey;
import io.kasane.ramp.cql.use.MaterialisedView;
import io.kasane.ramp.cql.use.RowTable;
import io.kasane.ramp.cql.use.SecondaryIndex;
import io.kasane.ramp.cql.use.UsesNode;
import io.kasane.ramp.protocol.RampOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Plain tables of a real node are copied while transactions go on. */
@Tag("node")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(UsesNode.class)
class BackfillUnderLoadIT {
  private static final int ROWS = 600;
  private static final int CITIES = 20;

  private CqlSession cql;
  private RampSession session;

  @BeforeAll
  void open(CqlSession driver, RampSession opened) {
    cql = driver;
    session = opened;
    PlainTable.createKeyspace(cql);
  }

  /** Does something with random rows, one after the other, until it is closed. */
  private static final class Load implements AutoCloseable {
    private final AtomicInteger done = new AtomicInteger();
    private final CompletableFuture<Void> running;
    private volatile boolean closed;

    Load(IntConsumer step) {
      Random random = new Random(7);
      running =
          CompletableFuture.runAsync(
              () -> {
                while (!closed) {
                  step.accept(random.nextInt(ROWS));
                  done.incrementAndGet();
                }
              });
      requireMore(50);
    }

    void requireMore(int steps) {
      int before = done.get();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> done.get() >= before + steps || running.isDone());
      assertThat(running).isNotDone();
    }

    @Override
    public void close() {
      closed = true;
      running.join();
    }
  }

  @Test
  void transactionsWinBeforeAndWhileAndAfter() {
    PlainTable source = PlainTable.create(cql, "busy").fill(0, ROWS);
    RampTable<Integer, String> target = session.table("busy_target", Codecs.int32(), Codecs.text());
    Map<Integer, Optional<String>> last = new ConcurrentHashMap<>();
    List<Integer> seededFirst = new ArrayList<>();
    Backfill backfill =
        Backfill.of(
                PlainTable.KEYSPACE,
                source.name(),
                row -> {
                  if (!last.containsKey(row.getInt("id"))) {
                    seededFirst.add(row.getInt("id"));
                  }
                  return Stream.of(target.seed(row.getInt("id"), row.getString("value")));
                })
            .withPageRows(100)
            .withRowsPerSecond(500);

    try (Load load =
        new Load(
            id -> {
              Optional<String> value =
                  id % 3 == 0 ? Optional.empty() : Optional.of("put " + last.size());
              value.ifPresentOrElse(
                  put -> session.put(target, id, put), () -> session.delete(target, List.of(id)));
              last.put(id, value);
            })) {
      backfill.run(cql, "uses", session.newSession(), progress -> {});
      load.requireMore(50);
    }

    Map<Integer, String> all = new HashMap<>();
    for (int from = 0; from < ROWS; from += 300) {
      all.putAll(
          session.newSession().getAll(target, IntStream.range(from, from + 300).boxed().toList()));
    }
    for (int id = 0; id < ROWS; id++) {
      assertThat(Optional.ofNullable(all.get(id)))
          .as("row %d", id)
          .isEqualTo(last.getOrDefault(id, Optional.of(textOf(id))));
    }
    long after = seededFirst.stream().filter(last::containsKey).count();
    assertThat(after).as("written after their seed").isPositive();
    assertThat(last.size() - after).as("written before their seed").isPositive();
  }

  private static String cityOf(int id) {
    return "city " + id % CITIES;
  }

  @Test
  void anIndexFindsEverythingAfterARebuildUnderLoad() {
    PlainTable source = PlainTable.create(cql, "people_old").fill(0, ROWS);
    SecondaryIndex<Integer, String, String> people =
        SecondaryIndex.open(
            session,
            RowTable.of("people_filled", Codecs.int32(), Codecs.text()),
            "people_filled_by_city",
            Codecs.text(),
            city -> Set.of(city));
    Map<Integer, String> expected = new ConcurrentHashMap<>();
    IntStream.range(0, ROWS).forEach(id -> expected.put(id, cityOf(id)));
    Backfill backfill =
        Backfill.of(
                PlainTable.KEYSPACE,
                source.name(),
                row -> Stream.of(people.seed(row.getInt("id"), cityOf(row.getInt("id")))))
            .withRowsPerSecond(1_000);

    try (Load load =
        new Load(
            id -> {
              RampSession user = session.newSession();
              if (id % 5 == 0) {
                people.delete(user, id);
                expected.remove(id);
              } else {
                people.put(user, id, cityOf(id + 1));
                expected.put(id, cityOf(id + 1));
              }
            })) {
      backfill.run(cql, "uses", session.newSession(), progress -> {});
      Check found = people.rebuild(session);
      assertThat(found.missing()).isPositive();
      load.requireMore(50);
    }

    Map<Integer, String> listed = new HashMap<>();
    for (int city = 0; city < CITIES; city++) {
      people.find(session.newSession(), cityOf(city)).forEach(listed::put);
    }
    assertThat(listed).isEqualTo(expected);
    assertThat(people.verify(session.newSession()).isComplete()).isTrue();
    assertThat(backfill.verify(cql, session, progress -> {}).isComplete()).isTrue();
  }

  @Test
  void aViewAndAForeignKeyAreWholeAfterARebuild() {
    PlainTable source = PlainTable.create(cql, "lines_old").fill(0, 100);
    MaterialisedView<Integer, String, String, Integer> view =
        MaterialisedView.open(
            session,
            RowTable.of("view_filled", Codecs.int32(), Codecs.text()),
            "view_filled_by_city",
            Codecs.text(),
            Codecs.int32(),
            (id, city) -> Map.of(city, id));
    RampTable<String, String> cities = session.table("cities_filled", Codecs.text(), Codecs.text());
    ForeignKey<String, String, Integer, String> children =
        ForeignKey.open(
            session,
            cities,
            RowTable.of("children_filled", Codecs.int32(), Codecs.text()),
            "children_filled_of_cities",
            city -> city);
    Backfill.of(
            PlainTable.KEYSPACE,
            source.name(),
            row -> {
              int id = row.getInt("id");
              return Stream.of(
                  view.seed(id, cityOf(id)),
                  cities.seed(cityOf(id), "of many rows"),
                  children.seedChild(id, cityOf(id)));
            })
        .run(cql, "uses", session, progress -> {});

    assertThat(view.rebuild(session).missing()).isEqualTo(100);
    assertThat(children.rebuild(session).missing()).isEqualTo(100);

    assertThat(view.rows(session.newSession(), cityOf(3)))
        .isEqualTo(Map.of(3, 3, 23, 23, 43, 43, 63, 63, 83, 83));
    Family<String, Integer, String> family =
        children.family(session.newSession(), cityOf(3)).orElseThrow();
    assertThat(family.children()).containsOnlyKeys(3, 23, 43, 63, 83);
  }

  /** A sweep leaves deletions where they are found by name only. */
  @Test
  void deletedItemsOfASweptCollectionStayDeleted() {
    RampOptions shortly =
        RampOptions.defaults()
            .withDeadline(Duration.ofMillis(900))
            .withGcWindow(Duration.ofSeconds(2))
            .withMaxClockDrift(Duration.ofMillis(500));
    try (RampSession client = RampSession.builder(cql, "uses").options(shortly).build()) {
      RampCollection<String, Integer, String> list =
          client.collection("swept_filled", Codecs.text(), Codecs.int32(), Codecs.text());
      PlainTable source = PlainTable.create(cql, "items_old").fill(0, 300);
      CompletableFuture.allOf(
              IntStream.range(0, 200)
                  .mapToObj(id -> client.newSession().write().delete(list, "a", id).commitAsync())
                  .map(CompletionStage::toCompletableFuture)
                  .toArray(CompletableFuture[]::new))
          .join();
      client.write().put(list, "a", 250, "newer").commit();
      client.items(list, "a");
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> client.metrics().sweeps() > 0);
      Backfill backfill =
          Backfill.of(
              PlainTable.KEYSPACE,
              source.name(),
              row -> Stream.of(list.seed("a", row.getInt("id"), row.getString("value"))));

      BackfillCounts counts = backfill.run(cql, "uses", client, progress -> {});

      assertThat(counts.written()).isEqualTo(99);
      Map<Integer, String> expected = new HashMap<>();
      IntStream.range(200, 300).forEach(id -> expected.put(id, textOf(id)));
      expected.put(250, "newer");
      assertThat(client.newSession().items(list, "a")).isEqualTo(expected);
      assertThat(backfill.verify(cql, client, progress -> {}).isComplete()).isTrue();
    }
  }
}
