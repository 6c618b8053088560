/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.protocol.InvalidTransactionException;
import io.kasane.ramp.protocol.RampOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions do over memory what they do over Cassandra. */
class SessionOnMemoryTest {
  private final MemoryVersionStore store = new MemoryVersionStore();
  private final RampSession session = RampSession.over(store);
  private final RampTable<String, Integer> left =
      session.table("left_side", Codecs.text(), Codecs.int32());
  private final RampTable<String, Integer> right =
      session.table("right_side", Codecs.text(), Codecs.int32());

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void tablesAndCollectionsAreWrittenAndReadTogether() {
    RampCollection<String, Integer, String> lines =
        session.collection("lines", Codecs.text(), Codecs.int32(), Codecs.text());
    session.write().put(left, "a", 1).put(lines, "a", 1, "pear").put(lines, "a", 2, "fig").commit();
    session.write().put(left, "a", 2).delete(lines, "a", 1).commit();

    RampRows seen = session.read().get(left, "a", "b").items(lines, "a").run();
    assertThat(seen.get(left, "a")).contains(2);
    assertThat(seen.get(left, "b")).isEmpty();
    assertThat(seen.items(lines, "a")).isEqualTo(Map.of(2, "fig"));
  }

  @Test
  void keysAreGoneThrough() {
    session.put(left, Map.of("a", 1, "b", 2));
    session.put(right, "c", 3);
    assertThat(session.keys(left)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void seedsGiveWayToTransactions() {
    session.put(left, "a", 1);
    session.delete(left, List.of("b"));
    List<Seed> seeds = List.of(left.seed("a", 10), left.seed("b", 20), left.seed("c", 30));
    assertThat(session.missing(seeds)).containsExactly(seeds.get(2));

    assertThat(session.seed(seeds, 7)).isEqualTo(1);

    session.put(left, "d", 4);
    assertThat(session.getAll(left, List.of("a", "b", "c", "d")))
        .isEqualTo(Map.of("a", 1, "c", 30, "d", 4));
    assertThat(session.missing(seeds)).isEmpty();
    assertThat(session.seed(List.of(left.seed("c", 31)), 8)).isEqualTo(1);
    session.put(left, "c", 3);
    assertThat(session.seed(seeds, 9)).isZero();
    assertThat(session.get(left, "c")).contains(3);
  }

  @Test
  void aSeedIsNoPartOfAReadTransaction() {
    assertThatThrownBy(
            () -> session.readTransaction(reader -> session.seed(List.of(left.seed("a", 1)), 7)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a seed within a read transaction");
  }

  @Test
  void aTokenCarriesASessionToAnother() {
    session.put(left, "a", 1);
    try (RampSession other = RampSession.over(store)) {
      assertThat(other.resume(session.token()).get(left, "a")).contains(1);
    }
  }

  @Test
  void limitsOfTransactionsHold() {
    assertThatThrownBy(() -> session.put(left, "", 1))
        .isInstanceOf(InvalidTransactionException.class);
    assertThatThrownBy(() -> session.put(left, "k".repeat(65_536), 1))
        .isInstanceOf(InvalidTransactionException.class);
  }

  @Test
  void nobodySeesHalves() {
    AtomicBoolean writing = new AtomicBoolean(true);
    List<CompletableFuture<Integer>> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      readers.add(
          CompletableFuture.supplyAsync(() -> look(writing), run -> new Thread(run).start()));
    }
    for (int number = 0; number < 2_000; number++) {
      session.newSession().write().put(left, "a", number).put(right, "a", number).commit();
    }
    writing.set(false);
    assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isPositive());
  }

  private int look(AtomicBoolean writing) {
    int looks = 0;
    while (writing.get()) {
      RampRows seen = session.newSession().read().get(left, "a").get(right, "a").run();
      assertThat(seen.get(left, "a")).isEqualTo(seen.get(right, "a"));
      looks++;
    }
    return looks;
  }

  @Test
  void oldVersionsAreCollected() {
    RampOptions options =
        RampOptions.defaults()
            .withDeadline(Duration.ofMillis(100))
            .withGcWindow(Duration.ofMillis(250));
    try (RampSession brief = RampSession.over(store, options)) {
      brief.put(left, "a", 1);
      brief.put(left, "a", 2);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> brief.metrics().versionsKept() == 0);
      assertThat(brief.metrics().collected()).isPositive();
      assertThat(brief.get(left, "a")).isEqualTo(Optional.of(2));
    }
  }

  @Test
  void deletedKeysAreDeleted() {
    session.put(left, "a", 1);
    session.delete(left, Set.of("a"));
    assertThat(session.get(left, "a")).isEmpty();
  }
}
