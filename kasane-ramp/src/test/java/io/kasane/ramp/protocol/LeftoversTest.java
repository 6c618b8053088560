/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.UnknownSiblings;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LeftoversTest extends ProtocolFixture {
  private static final Duration STORE_DELAY = Duration.ofDays(10);
  private static final int DAY = 86_400;
  private static final int OLD = -30 * DAY;

  private Leftovers leftovers = client.leftovers(STORE_DELAY);

  @Test
  void whatWasReplacedIsCollectedAWindowAfterItWasFound() {
    commit(at(-400), Mode.FAST, A);
    commit(at(-300), Mode.FAST, A);
    run();
    environment.pass(seconds(59));
    assertThat(store.versions(A)).hasSize(2);
    environment.pass(seconds(1));

    assertThat(store.versions(A)).isEmpty();
    assertThat(counts()).isEqualTo(only(2, 0, 0, 0, 0, 0));
    assertThat(leftovers.waiting()).isZero();
  }

  @Test
  void whatWasReplacedOnceMoreIsLeftToWhoDidIt() {
    commit(at(-400), Mode.FAST, A);
    run();
    Version newer = commit(at(0), Mode.FAST, A);
    environment.pass(seconds(61));

    assertThat(store.calls).doesNotContain("collect a");
    assertThat(store.versions(A)).containsKey(newer.timestamp());
  }

  @Test
  void whereALocalQuorumSaysLittleItIsCommittedOnceMore() {
    store.quorums = strength -> false;
    commit(at(-400), Mode.FAST, A);
    run();
    assertThat(store.calls).contains("commit a");
  }

  @Test
  void aDeletionIsForgottenAfterItsGraceAndAWindow() {
    Write deletion = deletion(at(-11 * DAY), A);
    store.doCommit(deletion);
    run();
    environment.pass(seconds(59));
    assertThat(store.committed).containsKey(A);
    environment.pass(seconds(1));

    assertThat(store.committed).isEmpty();
    assertThat(counts()).isEqualTo(only(0, 1, 0, 0, 0, 0));
  }

  @Test
  void aDeletionWithinItsGraceStays() {
    store.doCommit(deletion(at(-10 * DAY - 59), A));
    run();
    environment.pass(seconds(120));

    assertThat(store.committed).containsKey(A);
  }

  @Test
  void aDeletionThatIsOverwrittenMeanwhileStays() {
    store.doCommit(deletion(at(-11 * DAY), A));
    run();
    commit(at(0), Mode.FAST, A);
    environment.pass(seconds(61));

    assertThat(store.calls).doesNotContain("purge a");
  }

  @Test
  void whatADeletionWasWrittenWithIsCompletedBeforeItIsForgotten() {
    Timestamp old = at(-11 * DAY);
    Version deletion =
        new Version(old, new SiblingNames(Set.of(A, B), Set.of(A)), Optional.empty());
    store.doCommit(new Write(A, deletion));
    store.doPrepare(new Write(B, version(old, Mode.FAST, A, B)));
    done(leftovers.committed(A, deletion));
    environment.pass(seconds(61));

    assertThat(store.calls).contains("commit b");
    assertThat(counts().completed()).isEqualTo(1);
    assertThat(store.committed).as("for those who read B before").containsKey(A);
    environment.pass(seconds(58));
    assertThat(store.committed).containsKey(A);
    environment.pass(seconds(3));
    assertThat(store.committed).doesNotContainKey(A);
    assertThat(counts().purged()).isEqualTo(1);
  }

  /** Who may write one table may not say what is dropped in another one. */
  @Test
  void whereVersionsNameOtherSiblingsNothingIsDropped() {
    Timestamp old = at(-20 * DAY - 61);
    store.doPrepare(new Write(A, version(old, Mode.FAST, A, B)));
    store.doPrepare(new Write(B, version(old, Mode.FAST, A, B, C)));
    store.doCommit(new Write(C, version(old, Mode.FAST, A, B, C)));
    done(leftovers.prepared(A, Set.of(old)));
    environment.pass(seconds(61));

    assertThat(store.versions(B)).containsKey(old);
    assertThat(counts()).isEqualTo(only(0, 0, 0, 0, 0, 1));
  }

  /** A seed comes below whatever was there, also when that is forgotten. */
  @Test
  void aSeedDoesNotTellThatNothingWasCommitted() {
    Timestamp old = at(-20 * DAY - 61);
    SiblingNames both = new SiblingNames(Set.of(A, B), Set.of(A));
    store.doPrepare(new Write(B, new Version(old, both, Optional.of(Bytes.utf8("kept")))));
    done(client.seed(Map.of(A, Bytes.utf8("seed")), 1));
    done(leftovers.prepared(B, Set.of(old)));
    environment.pass(seconds(61));

    assertThat(store.versions(B)).containsKey(old);
    assertThat(counts()).isEqualTo(only(0, 0, 0, 0, 0, 1));
  }

  @Test
  void aDeletionIsLeftWhereItsTransactionMayBeUnderWay() {
    Version deletion = new Version(at(-11 * DAY), new UnknownSiblings(), Optional.empty());
    store.doCommit(new Write(A, deletion));
    leftovers.isIncomplete();
    run();
    environment.pass(seconds(61));

    assertThat(store.committed).containsKey(A);
    assertThat(counts()).isEqualTo(only(0, 0, 0, 0, 0, 1));
  }

  @Test
  void whatNobodyCommittedIsDroppedOnceNobodyCanAndAWindowLater() {
    Timestamp old = prepare(at(-20 * DAY - 61), Mode.FAST, A, B).timestamp();
    Version before = commit(at(OLD), Mode.FAST, A);
    run();
    environment.pass(seconds(59));
    assertThat(store.versions(A)).containsKey(old);
    environment.pass(seconds(1));

    assertThat(store.versions(A)).isEmpty();
    assertThat(store.versions(B)).isEmpty();
    assertThat(store.committed).isEqualTo(Map.of(A, before));
    assertThat(counts()).isEqualTo(only(1, 0, 0, 1, 0, 0));
  }

  @Test
  void whatItsClientMayStillCommitIsLeft() {
    prepare(at(-20 * DAY - 59), Mode.FAST, A, B);
    prepare(at(-1), Mode.SMALL, C);
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
    assertThat(counts()).isEqualTo(only(0, 0, 0, 0, 2, 0));
  }

  @Test
  void whatIsCommittedMeanwhileIsNotDropped() {
    Version version = prepare(at(OLD), Mode.FAST, A, B);
    run();
    store.doCommit(new Write(A, version));
    environment.pass(seconds(61));

    assertThat(store.calls).noneMatch(call -> call.startsWith("drop"));
    assertThat(counts().uncertain()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatWasCommittedInPartIsCompletedAndCollected(Mode mode) {
    Version version = half(at(-300), mode, A, B, C);
    run();
    assertThat(store.committed).isEqualTo(Map.of(A, version, B, version, C, version));
    environment.pass(seconds(61));

    assertThat(store.versions(A)).isEmpty();
    assertThat(store.versions(B)).isEmpty();
    assertThat(counts()).isEqualTo(only(3, 0, 1, 0, 0, 0));
  }

  @Test
  void whatOnlyOneReplicaHasCommittedCounts() {
    Version version = prepare(at(OLD), Mode.FAST, A, B);
    store.show(Strength.ALL, A, new Answer.Present(version));
    run();

    assertThat(store.calls).contains("commit b");
  }

  @Test
  void whereAKeyWasOverwrittenNobodyCanTell() {
    prepare(at(OLD), Mode.FAST, A, B);
    commit(at(OLD + 5), Mode.FAST, A);
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(B)).hasSize(1);
    assertThat(counts()).isEqualTo(only(2, 0, 0, 0, 0, 1));
  }

  @Test
  void whereNoKeysAreNamedNobodyCanTell() {
    prepare(at(OLD), Mode.SMALL, A);
    prepare(at(OLD + 1), Mode.HYBRID, B);
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
    assertThat(store.versions(B)).hasSize(1);
    assertThat(counts()).isEqualTo(only(0, 0, 0, 0, 0, 2));
  }

  @Test
  void whatItMayHaveDeletedLongAgoIsNoProof() {
    Timestamp old = at(OLD);
    SiblingNames names = new SiblingNames(Set.of(A, B), Set.of(B));
    store.doPrepare(new Write(A, new Version(old, names, version(old, Mode.FAST, A).value())));
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
    assertThat(counts().uncertain()).isEqualTo(1);
  }

  @Test
  void aKeyThatWasNeverPreparedIsProofUnlessHintsOutliveDeletions() {
    store.doPrepare(new Write(A, version(at(OLD), Mode.FAST, A, B)));
    leftovers = client.leftovers(STORE_DELAY.plusSeconds(1));
    run();
    assertThat(counts().uncertain()).isEqualTo(1);

    leftovers = client.leftovers(STORE_DELAY);
    run();
    environment.pass(seconds(61));
    assertThat(counts()).isEqualTo(only(0, 0, 0, 1, 0, 0));
  }

  @Test
  void keysThatItWouldHaveDeletedAreDroppedLastSoThatAnotherRunEndsIt() {
    Timestamp old = at(OLD);
    SiblingNames names = new SiblingNames(Set.of(A, B), Set.of(A));
    store.doPrepare(new Write(A, new Version(old, names, Optional.empty())));
    store.doPrepare(new Write(B, new Version(old, names, version(old, Mode.FAST, B).value())));
    store.refuses = call -> call.equals("drop a");
    run();
    environment.pass(seconds(61));
    assertThat(store.versions(A)).hasSize(1);
    assertThat(store.versions(B)).isEmpty();
    assertThat(counts().failed()).isEqualTo(1);

    store.refuses = call -> false;
    leftovers = client.leftovers(STORE_DELAY);
    run();
    environment.pass(seconds(61));
    assertThat(store.versions(A)).isEmpty();
    assertThat(counts()).isEqualTo(only(0, 0, 0, 1, 0, 0));
  }

  @Test
  void whatCannotBeAskedIsLeft() {
    prepare(at(OLD), Mode.FAST, A, B);
    commit(at(OLD), Mode.FAST, C);
    store.refuses = call -> call.contains("ALL");
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
    assertThat(store.versions(C)).isEmpty();
    assertThat(counts().failed()).isEqualTo(1);
    assertThat(counts().firstFailure()).hasValueSatisfying(why -> assertThat(why).contains("ALL"));
  }

  @Test
  void byAClockThatIsWrongNothingIsOld() {
    prepare(at(OLD), Mode.FAST, A, B);
    store.doCommit(deletion(at(OLD), C));
    client.clockIsAhead(Duration.ofDays(30));
    run();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
    assertThat(store.committed).containsKey(C);
    assertThat(counts().failed()).isEqualTo(3);
  }

  @Test
  void whoStopsDeletesNothingMore() {
    commit(at(-400), Mode.FAST, A);
    run();
    leftovers.close();
    environment.pass(seconds(61));

    assertThat(store.versions(A)).hasSize(1);
  }

  /** Goes through the store as whoever goes through tables does. */
  private void run() {
    new TreeMap<>(store.prepared)
        .forEach(
            (key, versions) -> {
              if (!versions.isEmpty()) {
                done(leftovers.prepared(key, Set.copyOf(versions.keySet())));
              }
            });
    new TreeMap<>(store.committed)
        .forEach((key, version) -> done(leftovers.committed(key, version)));
  }

  private LeftoverCounts counts() {
    return leftovers.counts();
  }

  private static LeftoverCounts only(
      long collected, long purged, long completed, long dropped, long young, long uncertain) {
    return new LeftoverCounts(
        collected, purged, completed, dropped, young, uncertain, 0, Optional.empty());
  }

  private static Write deletion(Timestamp timestamp, ItemKey key) {
    return new Write(
        key, new Version(timestamp, new SiblingNames(Set.of(key), Set.of(key)), Optional.empty()));
  }
}
