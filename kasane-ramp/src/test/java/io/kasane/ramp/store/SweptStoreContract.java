/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * What a store owes those who read collections out of which deleted items were swept, and words
 * that all contracts use.
 */
public abstract class SweptStoreContract {
  static final AtomicLong KEYS = new AtomicLong();

  static final Timestamp EARLY = new Timestamp(1_000_000, 7);

  /** As {@link #EARLY} to the microsecond, of a client that is the higher one unsigned. */
  static final Timestamp TIED = new Timestamp(1_000_000, -1);

  static final Timestamp LATE = new Timestamp(1_000_001, 3);

  /** The store under test; keys of other tests may be in it. */
  protected abstract VersionStore store();

  /** A table that exists in the store. */
  protected abstract String table();

  final ItemKey newKey() {
    return new ItemKey(table(), Bytes.utf8("key" + KEYS.incrementAndGet()));
  }

  static Version version(Timestamp timestamp, String value) {
    return new Version(timestamp, new UnknownSiblings(), Optional.of(Bytes.utf8(value)));
  }

  static Version deletion(Timestamp timestamp) {
    return new Version(timestamp, new UnknownSiblings(), Optional.empty());
  }

  /** Waits, as only tests do. */
  protected static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  final void prepare(ItemKey key, Version version) throws Exception {
    get(store().prepare(List.of(new Write(key, version))));
  }

  final void commit(ItemKey key, Version version) throws Exception {
    get(store().commit(List.of(new Write(key, version))));
  }

  final Answer committed(ItemKey key) throws Exception {
    return get(store().readCommitted(List.of(key), Strength.QUORUM)).get(0);
  }

  final Candidates candidates(ItemKey key, Timestamp... timestamps) throws Exception {
    CandidateQuery query = new CandidateQuery(key, Set.of(timestamps));
    return get(store().readCandidates(List.of(query), Strength.QUORUM)).get(0);
  }

  private ItemKey item(ItemKey collection, int number) {
    return new ItemKey(
        table(), collection.partition(), Bytes.utf8(String.format("item %03d", number)));
  }

  private void sweep(ItemKey collection, long upToMicros) throws Exception {
    get(store().sweep(table(), collection.partition(), upToMicros));
  }

  private Map<ItemKey, Version> collection(ItemKey collection) throws Exception {
    return get(store().readCollection(table(), collection.partition(), Strength.QUORUM));
  }

  /** Every fifth is live, and some of the others are not to be swept yet. */
  @Test
  void whatIsSweptIsFoundByItsKeyOnly() throws Exception {
    ItemKey list = newKey();
    Timestamp recent = new Timestamp(3_000_000, 1);
    Set<ItemKey> stay = new HashSet<>();
    for (int number = 0; number < 700; number++) {
      ItemKey item = item(list, number);
      boolean live = number % 5 == 0;
      boolean young = number % 7 == 3;
      boolean unresolved = number % 11 == 4;
      commit(item, live ? version(LATE, "live") : deletion(young ? recent : LATE));
      if (unresolved) {
        prepare(item, version(new Timestamp(1_500_000, 9), "to come"));
      }
      if (live || young || unresolved) {
        stay.add(item);
      }
    }
    sweep(list, 2_000_000);

    assertThat(collection(list).keySet()).isEqualTo(stay);
    for (int number = 0; number < 700; number++) {
      ItemKey item = item(list, number);
      Version version =
          number % 5 == 0 ? version(LATE, "live") : deletion(number % 7 == 3 ? recent : LATE);
      assertThat(committed(item)).as("%s", item).isEqualTo(new Answer.Present(version));
      assertThat(candidates(item, EARLY).committed()).isEqualTo(new Answer.Present(version));
    }
  }

  @Test
  void whatIsWrittenAfterASweepIsThere() throws Exception {
    ItemKey list = newKey();
    for (int number = 0; number < 10; number++) {
      commit(item(list, number), deletion(LATE));
    }
    ItemKey unresolved = item(list, 4);
    Version toCome = version(new Timestamp(1_500_000, 9), "to come");
    prepare(unresolved, toCome);
    ItemKey between = new ItemKey(table(), list.partition(), Bytes.utf8("item 006 b"));
    Version fresh = version(new Timestamp(1_600_000, 9), "fresh");
    prepare(between, fresh);
    sweep(list, 2_000_000);

    commit(unresolved, toCome);
    commit(between, fresh);
    Version again = version(new Timestamp(2_500_000, 2), "again");
    commit(item(list, 2), again);
    commit(item(list, 7), version(EARLY, "late"));
    Timestamp deletedAgain = new Timestamp(2_500_000, 2);
    commit(item(list, 8), deletion(deletedAgain));
    assertThat(collection(list))
        .containsOnly(
            Map.entry(unresolved, toCome),
            Map.entry(between, fresh),
            Map.entry(item(list, 2), again),
            Map.entry(item(list, 8), deletion(deletedAgain)));
    assertThat(committed(item(list, 7))).isEqualTo(new Answer.Present(deletion(LATE)));
    sweep(list, 3_000_000);
    assertThat(collection(list)).containsOnlyKeys(unresolved, between, item(list, 2));
    assertThat(committed(item(list, 8))).isEqualTo(new Answer.Present(deletion(deletedAgain)));
  }

  /** Else it would come back once the deletion is forgotten. */
  @Test
  void whatADeadClientLeftBelowADeletionGoesWithIt() throws Exception {
    ItemKey list = newKey();
    for (int number = 0; number < 10; number++) {
      prepare(item(list, number), version(EARLY, "left"));
      prepare(item(list, number), deletion(LATE));
      commit(item(list, number), deletion(LATE));
    }
    sweep(list, 2_000_000);

    for (int number = 0; number < 10; number++) {
      assertThat(candidates(item(list, number), EARLY, LATE))
          .isEqualTo(new Candidates(new Answer.Present(deletion(LATE)), Map.of()));
    }
  }

  @Test
  void whatIsSweptIsPurgedAndCollected() throws Exception {
    ItemKey list = newKey();
    for (int number = 0; number < 10; number++) {
      prepare(item(list, number), deletion(LATE));
      commit(item(list, number), deletion(LATE));
    }
    get(store().collect(new Write(item(list, 3), deletion(LATE))));
    sweep(list, 2_000_000);
    get(store().collect(new Write(item(list, 4), deletion(LATE))));
    assertThat(candidates(item(list, 4), LATE).prepared()).isEmpty();
    get(store().purge(item(list, 3), LATE));
    get(store().purge(item(list, 5), LATE));

    assertThat(collection(list)).isEmpty();
    assertThat(committed(item(list, 3))).isEqualTo(new Answer.Absent());
    assertThat(committed(item(list, 5))).isEqualTo(new Answer.Absent());
    assertThat(candidates(item(list, 5), LATE))
        .isEqualTo(new Candidates(new Answer.Absent(), Map.of()));
    assertThat(committed(item(list, 4))).isEqualTo(new Answer.Present(deletion(LATE)));
  }
}
