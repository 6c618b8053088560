/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every store of versions owes the protocols; a store's test extends it. */
public abstract class VersionStoreContract extends CollectionStoreContract {
  @Test
  void whatIsPreparedIsSeenByTimestampOnly() throws Exception {
    ItemKey key = newKey();
    prepare(key, version(EARLY, "a"));

    assertThat(committed(key)).isEqualTo(new Answer.Absent());
    Candidates seen = candidates(key, EARLY, LATE);
    assertThat(seen.committed()).isEqualTo(new Answer.Absent());
    assertThat(seen.prepared()).isEqualTo(Map.of(EARLY, version(EARLY, "a")));
  }

  @Test
  void whatIsCommittedIsSeenByAllAtAnyStrength() throws Exception {
    ItemKey key = newKey();
    Version version =
        new Version(
            EARLY,
            new SiblingNames(Set.of(key, new ItemKey("other", Bytes.utf8("x"), Bytes.utf8("i")))),
            Optional.of(Bytes.utf8("a")));
    prepare(key, version);
    commit(key, version);

    for (Strength strength : List.of(Strength.QUORUM, Strength.ALL)) {
      assertThat(get(store().readCommitted(List.of(key), strength)))
          .containsExactly(new Answer.Present(version));
    }
    assertThat(committed(key).marker()).isEqualTo(EARLY);
  }

  @Test
  void theHighestCommitWinsInWhateverOrder() throws Exception {
    List<Timestamp> timestamps = new ArrayList<>(List.of(EARLY, TIED, LATE));
    // Six orders, each on a key of its own.
    for (int seed = 0; seed < 6; seed++) {
      ItemKey key = newKey();
      Collections.shuffle(timestamps, new Random(seed));
      for (Timestamp timestamp : timestamps) {
        commit(key, version(timestamp, "of " + timestamp));
      }
      assertThat(committed(key))
          .as("seed %d: %s", seed, timestamps)
          .isEqualTo(new Answer.Present(version(LATE, "of " + LATE)));
    }
  }

  /** The values are such that bytes behind the timestamp would decide otherwise. */
  @Test
  void withinOneMicrosecondTheClientDecides() throws Exception {
    for (boolean tiedFirst : new boolean[] {true, false}) {
      ItemKey key = newKey();
      commit(key, tiedFirst ? version(TIED, "a") : version(EARLY, "zzzz"));
      commit(key, tiedFirst ? version(EARLY, "zzzz") : version(TIED, "a"));
      assertThat(committed(key)).isEqualTo(new Answer.Present(version(TIED, "a")));
    }
    ItemKey deleted = newKey();
    commit(deleted, deletion(TIED));
    commit(deleted, version(EARLY, "zzzz"));
    assertThat(committed(deleted)).isEqualTo(new Answer.Present(deletion(TIED)));
  }

  @Test
  void markerAndCandidatesComeTogether() throws Exception {
    ItemKey key = newKey();
    prepare(key, version(EARLY, "a"));
    prepare(key, version(TIED, "b"));
    commit(key, version(EARLY, "a"));
    prepare(key, version(LATE, "c"));

    Candidates seen = candidates(key, EARLY, LATE, new Timestamp(5, 5));
    assertThat(seen.committed()).isEqualTo(new Answer.Present(version(EARLY, "a")));
    assertThat(seen.prepared())
        .isEqualTo(Map.of(EARLY, version(EARLY, "a"), LATE, version(LATE, "c")));
  }

  @Test
  void answersComeInTheOrderOfTheQuestions() throws Exception {
    List<ItemKey> keys = new ArrayList<>();
    List<Answer> expected = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ItemKey key = newKey();
      keys.add(key);
      if (i % 3 == 0) {
        expected.add(new Answer.Absent());
      } else {
        Version version = version(new Timestamp(100 + i, i), "value " + i);
        writes.add(new Write(key, version));
        expected.add(new Answer.Present(version));
      }
    }
    get(store().prepare(writes));
    get(store().commit(writes));

    assertThat(get(store().readCommitted(keys, Strength.QUORUM))).isEqualTo(expected);
    List<CandidateQuery> queries =
        keys.stream().map(key -> new CandidateQuery(key, Set.of(new Timestamp(101, 1)))).toList();
    List<Candidates> candidates = get(store().readCandidates(queries, Strength.QUORUM));
    assertThat(candidates).extracting(Candidates::committed).isEqualTo(expected);
    assertThat(candidates.get(1).prepared()).containsOnlyKeys(new Timestamp(101, 1));
  }

  /** A store may send some of them together; nobody may notice. */
  @Test
  void manyKeysOfAllKindsAreWrittenAndReadAtOnce() throws Exception {
    Bytes partition = newKey().partition();
    List<Write> writes = new ArrayList<>();
    List<ItemKey> keys = new ArrayList<>();
    List<Answer> answers = new ArrayList<>();
    for (int number = 0; number < 90; number++) {
      boolean item = number % 3 == 0;
      ItemKey key = item ? new ItemKey(table(), partition, Bytes.utf8("i" + number)) : newKey();
      Timestamp timestamp = new Timestamp(1_000_000 + number % 4, number);
      Version version =
          switch (number % 5) {
            case 0 -> deletion(timestamp);
            // More than travels together.
            case 1 -> version(timestamp, "v".repeat(number * 200));
            default -> version(timestamp, "v" + number);
          };
      boolean absent = number % 7 == 6;
      keys.add(key);
      answers.add(absent ? new Answer.Absent() : new Answer.Present(version));
      if (!absent) {
        writes.add(new Write(key, version));
      }
    }

    get(store().prepare(writes));
    assertThat(get(store().readCommitted(keys, Strength.QUORUM))).containsOnly(new Answer.Absent());
    for (Write write : writes) {
      Timestamp timestamp = write.version().timestamp();
      assertThat(candidates(write.key(), timestamp).prepared())
          .containsExactly(Map.entry(timestamp, write.version()));
    }
    get(store().commit(writes));
    assertThat(get(store().readCommitted(keys, Strength.ALL))).isEqualTo(answers);
  }

  @Test
  void manyCandidatesAreAskedForAtOnce() throws Exception {
    ItemKey key = newKey();
    List<Write> writes =
        LongStream.range(0, 300)
            .mapToObj(i -> new Write(key, version(new Timestamp(1000 + i, i), "value " + i)))
            .toList();
    get(store().prepare(writes));
    commit(key, writes.get(17).version());

    Set<Timestamp> asked = new HashSet<>();
    writes.forEach(write -> asked.add(write.version().timestamp()));
    asked.add(new Timestamp(1, 1));
    Candidates seen =
        get(store().readCandidates(List.of(new CandidateQuery(key, asked)), Strength.QUORUM))
            .get(0);
    assertThat(seen.committed()).isEqualTo(new Answer.Present(writes.get(17).version()));
    assertThat(seen.prepared()).hasSize(300);
    assertThat(seen.prepared().get(new Timestamp(1299, 299))).isEqualTo(writes.get(299).version());
  }

  @Test
  void nothingAskedForShowsTheMarker() throws Exception {
    ItemKey key = newKey();
    commit(key, version(LATE, "a"));
    assertThat(candidates(key).committed()).isEqualTo(new Answer.Present(version(LATE, "a")));
    assertThat(get(store().readCommitted(List.of(), Strength.QUORUM))).isEmpty();
    get(store().prepare(List.of()));
    get(store().commit(List.of()));
  }

  @Test
  void preparingAndCommittingMayBeRepeated() throws Exception {
    ItemKey key = newKey();
    for (int i = 0; i < 3; i++) {
      prepare(key, version(EARLY, "a"));
      commit(key, version(EARLY, "a"));
    }
    assertThat(committed(key)).isEqualTo(new Answer.Present(version(EARLY, "a")));
    assertThat(candidates(key, EARLY).prepared()).containsOnlyKeys(EARLY);
  }

  @Test
  void collectingDeletesWhatIsNotAbove() throws Exception {
    ItemKey key = newKey();
    ItemKey other = newKey();
    Timestamp before = new Timestamp(999_999, 1);
    for (Timestamp timestamp : List.of(before, EARLY, TIED, LATE)) {
      prepare(key, version(timestamp, "of " + timestamp));
      prepare(other, version(timestamp, "of " + timestamp));
    }
    commit(key, version(EARLY, "of " + EARLY));

    get(store().collect(new Write(key, version(EARLY, "of " + EARLY))));

    Candidates seen = candidates(key, before, EARLY, TIED, LATE);
    assertThat(seen.committed()).isEqualTo(new Answer.Present(version(EARLY, "of " + EARLY)));
    assertThat(seen.prepared()).containsOnlyKeys(TIED, LATE);
    assertThat(candidates(other, before, EARLY, TIED, LATE).prepared()).hasSize(4);
  }

  @Test
  void collectingBringsTheVersionAlong() throws Exception {
    ItemKey key = newKey();
    prepare(key, version(EARLY, "a"));
    // The commit has reached nobody yet.
    get(store().collect(new Write(key, version(EARLY, "a"))));
    assertThat(committed(key)).isEqualTo(new Answer.Present(version(EARLY, "a")));

    commit(key, version(LATE, "b"));
    get(store().collect(new Write(key, version(EARLY, "a"))));
    assertThat(committed(key)).isEqualTo(new Answer.Present(version(LATE, "b")));
  }

  @Test
  void aLatePrepareHidesNothing() throws Exception {
    ItemKey key = newKey();
    commit(key, version(LATE, "b"));
    get(store().collect(new Write(key, version(LATE, "b"))));
    // A late PREPARE of an older transaction.
    prepare(key, version(EARLY, "a"));
    Candidates seen = candidates(key, EARLY);
    assertThat(seen.committed()).isEqualTo(new Answer.Present(version(LATE, "b")));
  }

  @Test
  void whoeverLooksSeesAVersionOrWhatReplacedIt() throws Exception {
    lookWhileCollecting(300, () -> {});
  }

  /** Prepares, commits and collects one key again and again, while others look at it. */
  protected final void lookWhileCollecting(int versions, Runnable sometimes) throws Exception {
    ItemKey key = newKey();
    AtomicLong prepared = new AtomicLong(1);
    prepare(key, version(new Timestamp(1, 1), "value 1"));
    CountDownLatch looking = new CountDownLatch(3);
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          CompletableFuture.runAsync(
              () -> {
                while (prepared.get() < versions) {
                  looking.countDown();
                  look(key, new Timestamp(prepared.get(), 1));
                }
              },
              task -> new Thread(task, "looks").start()));
    }
    assertThat(looking.await(1, TimeUnit.MINUTES)).isTrue();
    for (int i = 1; i <= versions; i++) {
      Version version = version(new Timestamp(i, 1), "value " + i);
      prepare(key, version);
      prepared.set(i);
      commit(key, version);
      get(store().collect(new Write(key, version)));
      if (i % 50 == 0) {
        sometimes.run();
      }
    }
    for (CompletableFuture<Void> reader : readers) {
      get(reader);
    }
  }

  private void look(ItemKey key, Timestamp demanded) {
    try {
      Candidates seen = candidates(key, demanded);
      if (!seen.prepared().containsKey(demanded)) {
        assertThat(seen.committed().marker()).isGreaterThanOrEqualTo(demanded);
      }
    } catch (Exception e) {
      throw new AssertionError("cannot look for " + demanded, e);
    }
  }

  @Test
  void aDeletionIsAVersion() throws Exception {
    ItemKey key = newKey();
    prepare(key, deletion(LATE));
    commit(key, version(EARLY, "a"));
    commit(key, deletion(LATE));
    assertThat(committed(key)).isEqualTo(new Answer.Present(deletion(LATE)));
    assertThat(candidates(key, LATE).prepared()).isEqualTo(Map.of(LATE, deletion(LATE)));
  }

  @Test
  void purgingForgetsTheKey() throws Exception {
    ItemKey key = newKey();
    prepare(key, version(EARLY, "a"));
    prepare(key, deletion(LATE));
    commit(key, deletion(LATE));
    get(store().purge(key, LATE));
    Candidates seen = candidates(key, EARLY, LATE);
    assertThat(seen.committed()).isEqualTo(new Answer.Absent());
    assertThat(seen.prepared()).isEmpty();

    Timestamp later = new Timestamp(2_000_000, 1);
    prepare(key, version(later, "again"));
    commit(key, version(later, "again"));
    assertThat(committed(key)).isEqualTo(new Answer.Present(version(later, "again")));
  }

  @Test
  void purgingSparesWhatIsAbove() throws Exception {
    ItemKey key = newKey();
    prepare(key, deletion(EARLY));
    commit(key, deletion(EARLY));
    prepare(key, version(TIED, "a"));
    commit(key, version(TIED, "a"));
    get(store().purge(key, EARLY));
    assertThat(committed(key)).isEqualTo(new Answer.Present(version(TIED, "a")));
    assertThat(candidates(key, TIED).prepared()).containsOnlyKeys(TIED);
  }

  @Test
  void whatIsDroppedIsGoneAndNothingElse() throws Exception {
    Bytes partition = Bytes.utf8("dropped" + KEYS.incrementAndGet());
    for (ItemKey key : List.of(newKey(), new ItemKey(table(), partition, Bytes.utf8("i")))) {
      commit(key, version(EARLY, "a"));
      prepare(key, version(EARLY, "a"));
      prepare(key, version(TIED, "b"));
      prepare(key, version(LATE, "c"));
      get(store().drop(key, TIED));
      get(store().drop(key, TIED));

      assertThat(committed(key)).isEqualTo(new Answer.Present(version(EARLY, "a")));
      assertThat(candidates(key, EARLY, TIED, LATE).prepared()).containsOnlyKeys(EARLY, LATE);
    }
  }

  @Test
  void theNewestOfSeveralKeysIsTold() throws Exception {
    ItemKey one = newKey();
    ItemKey other = newKey();
    ItemKey item = new ItemKey(table(), newKey().partition(), Bytes.utf8("item"));
    List<ItemKey> all = List.of(one, other, item);
    assertThat(newest(all)).isEqualTo(Timestamp.NONE);
    prepare(one, version(LATE, "prepared"));
    commit(one, version(EARLY, "a"));
    assertThat(newest(all)).isBetween(EARLY, TIED);
    commit(other, deletion(LATE));
    assertThat(newest(all)).isBetween(LATE, new Timestamp(LATE.micros(), -1));
    Timestamp later = new Timestamp(LATE.micros() + 1, 3);
    commit(item, version(later, "b"));
    assertThat(newest(all)).isBetween(later, new Timestamp(later.micros(), -1));
    get(store().purge(other, LATE));
    assertThat(newest(List.of(one, other))).isBetween(EARLY, TIED);
  }

  private Timestamp newest(List<ItemKey> keys) throws Exception {
    return get(store().newestCommitted(keys, Strength.QUORUM));
  }

  @Test
  void aMebibyteIsKept() throws Exception {
    ItemKey key = newKey();
    byte[] large = new byte[1 << 20];
    new Random(1).nextBytes(large);
    Version version = new Version(EARLY, new UnknownSiblings(), Optional.of(Bytes.copyOf(large)));
    prepare(key, version);
    commit(key, version);
    assertThat(committed(key)).isEqualTo(new Answer.Present(version));
    assertThat(candidates(key, EARLY).prepared()).isEqualTo(Map.of(EARLY, version));
  }

  @Test
  void anEmptyValueIsNoDeletion() throws Exception {
    ItemKey key = newKey();
    commit(key, version(EARLY, ""));
    Answer answer = committed(key);
    assertThat(answer).isEqualTo(new Answer.Present(version(EARLY, "")));
    assertThat(((Answer.Present) answer).version().isDeletion()).isFalse();
  }

  @Test
  void keysAreAnyBytes() throws Exception {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    for (byte[] bytes : Arrays.asList(all, new byte[] {0}, new byte[] {-1, 0, -1})) {
      ItemKey key = new ItemKey(table(), Bytes.copyOf(bytes), Bytes.copyOf(bytes));
      commit(key, version(EARLY, "a"));
      assertThat(committed(key)).isEqualTo(new Answer.Present(version(EARLY, "a")));
      assertThat(committed(new ItemKey(table(), Bytes.copyOf(bytes))))
          .isEqualTo(new Answer.Absent());
    }
  }
}
