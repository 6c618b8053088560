/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
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

  /** All of a collection. */
  final Map<ItemKey, Version> items(Bytes partition) throws Exception {
    ItemRange all = ItemRange.all(table(), partition);
    return get(store().readItems(all, Strength.QUORUM)).versions();
  }

  /** The names of live items of a collection, gone through by pages of a few. */
  final List<String> paged(Bytes partition, String from, String before, int limit)
      throws Exception {
    List<String> names = new ArrayList<>();
    Optional<Bytes> end = Optional.of(Bytes.utf8(before));
    Optional<Bytes> next = Optional.of(Bytes.utf8(from));
    while (next.isPresent()) {
      ItemRange range = new ItemRange(table(), partition, next.get(), end, limit);
      ItemPage page = get(store().readItems(range, Strength.QUORUM));
      List<String> live =
          page.versions().entrySet().stream()
              .filter(item -> !item.getValue().isDeletion())
              .map(item -> item.getKey().item().toUtf8())
              .sorted()
              .toList();
      assertThat(live).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.versions().keySet()).allMatch(range.upTo(page.next())::contains);
      names.addAll(live);
      next = page.next();
    }
    return names;
  }

  private ItemKey item(ItemKey collection, int number) {
    return new ItemKey(
        table(), collection.partition(), Bytes.utf8(String.format("item %03d", number)));
  }

  /** Both steps, the second one as soon as the store takes it. */
  final void sweep(ItemKey collection) throws Exception {
    get(store().openSweep(table(), collection.partition()));
    endSweep(collection);
  }

  protected final void endSweep(ItemKey collection) throws Exception {
    long began = System.nanoTime();
    while (true) {
      try {
        get(store().sweep(table(), collection.partition()));
        return;
      } catch (ExecutionException tooEarly) {
        assertThat(tooEarly).hasMessageContaining("not opened");
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(30));
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  private Map<ItemKey, Version> collection(ItemKey collection) throws Exception {
    return items(collection.partition());
  }

  /** Every fifth is live, and some of the others are still to be decided. */
  @Test
  void whatIsSweptIsFoundByItsKeyOnly() throws Exception {
    ItemKey list = newKey();
    Set<ItemKey> stay = new HashSet<>();
    for (int number = 0; number < 700; number++) {
      ItemKey item = item(list, number);
      boolean live = number % 5 == 0;
      commit(item, live ? version(LATE, "live") : deletion(LATE));
      if (number % 11 == 4) {
        prepare(item, version(new Timestamp(1_500_000, 9), "to come"));
      }
      if (live) {
        stay.add(item);
      }
    }
    for (int sweeps = 0; sweeps < 2; sweeps++) {
      sweep(list);

      assertThat(collection(list).keySet()).isEqualTo(stay);
      assertThat(paged(list.partition(), "", "j", 9))
          .isEqualTo(stay.stream().sorted().map(item -> item.item().toUtf8()).toList());
      for (int number = 0; number < 700; number++) {
        ItemKey item = item(list, number);
        Version version = number % 5 == 0 ? version(LATE, "live") : deletion(LATE);
        assertThat(committed(item)).as("%s", item).isEqualTo(new Answer.Present(version));
        assertThat(candidates(item, EARLY).committed()).isEqualTo(new Answer.Present(version));
      }
    }
  }

  /** Also what is older than deletions that were swept, and comes late. */
  @Test
  void whatIsWrittenDuringAndAfterASweepIsThere() throws Exception {
    ItemKey list = newKey();
    Timestamp swept = new Timestamp(2_000_000, 3);
    for (int number = 0; number < 10; number++) {
      commit(item(list, number), deletion(swept));
    }
    get(store().openSweep(table(), list.partition()));
    Version during = version(new Timestamp(2_500_000, 2), "during");
    commit(item(list, 1), during);
    commit(item(list, 5), version(EARLY, "during, and old"));
    endSweep(list);

    Version again = version(new Timestamp(2_600_000, 2), "again");
    commit(item(list, 2), again);
    commit(item(list, 7), version(EARLY, "late, and old"));
    Timestamp deletedAgain = new Timestamp(2_500_000, 2);
    commit(item(list, 8), deletion(deletedAgain));
    Version old = version(new Timestamp(1_600_000, 9), "of a slow clock");
    ItemKey fresh = item(list, 11);
    commit(fresh, old);
    Map<ItemKey, Version> live = collection(list);
    live.values().removeIf(Version::isDeletion);
    assertThat(live)
        .containsOnly(
            Map.entry(item(list, 1), during),
            Map.entry(item(list, 2), again),
            Map.entry(fresh, old));
    assertThat(committed(item(list, 5))).isEqualTo(new Answer.Present(deletion(swept)));
    assertThat(committed(item(list, 7))).isEqualTo(new Answer.Present(deletion(swept)));
    sweep(list);
    assertThat(collection(list)).containsOnlyKeys(item(list, 1), item(list, 2), fresh);
    assertThat(committed(item(list, 8))).isEqualTo(new Answer.Present(deletion(deletedAgain)));
    assertThat(committed(item(list, 7))).isEqualTo(new Answer.Present(deletion(swept)));
    commit(item(list, 8), version(new Timestamp(2_700_000, 2), "back"));
    assertThat(collection(list)).containsKey(item(list, 8));
    assertThat(paged(list.partition(), "", "j", 1))
        .containsExactly("item 001", "item 002", "item 008", "item 011");
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
    sweep(list);

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
    sweep(list);
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
