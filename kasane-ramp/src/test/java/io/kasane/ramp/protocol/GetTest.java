/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GetTest extends ProtocolFixture {
  @Test
  void namedSiblingsThatAgreeTakeOneRound() {
    Version version = commit(at(-5), Mode.FAST, A, B);

    ReadResult result = get(A, B, C);

    assertThat(result.rounds()).isEqualTo(1);
    assertThat(result.versions()).containsOnlyKeys(A, B).containsEntry(A, version);
    assertThat(store.calls).containsExactly("read FIRST_ROUND a b c");
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aHalfCommittedTransactionIsSeenWhole(Mode mode) {
    commit(at(-9), mode, A, B);
    Version half = half(at(-5), mode, A, B);

    ReadResult result = get(A, B);

    assertThat(result.rounds()).isEqualTo(2);
    assertThat(result.versions()).containsEntry(A, half).containsEntry(B, half);
    assertThat(store.calls)
        .containsExactly("read FIRST_ROUND a b", "candidates QUORUM b", "commit b");
    assertThat(store.committed).containsEntry(B, half);
  }

  @Test
  void aCommitIsCompletedOnce() {
    half(at(-5), Mode.FAST, A, B);
    store.refuses = call -> call.equals("commit b");
    get(A, B);
    store.refuses = call -> false;
    store.holds = call -> call.equals("commit b");
    get(A, B);
    get(A, B);

    assertThat(store.held).hasSize(1);
    assertThat(client.statistics().completions()).isEqualTo(2);
  }

  @Test
  void versionsOfDifferentModesDemandEachInItsWay() {
    Version small = half(at(-5), Mode.SMALL, A, B);
    Version hybrid = half(at(-4), Mode.HYBRID, C, A);
    Version fast = half(at(-3), Mode.FAST, key("d"), key("e"));

    ReadResult result = get(A, B, C, key("d"), key("e"));

    assertThat(result.versions())
        .containsEntry(A, hybrid)
        .containsEntry(B, small)
        .containsEntry(C, hybrid)
        .containsEntry(key("d"), fast)
        .containsEntry(key("e"), fast);
  }

  @Test
  void withoutSiblingsASecondRoundFindsNothing() {
    Version one = commit(at(-5), Mode.SMALL, A);
    Version other = commit(at(-9), Mode.SMALL, B);

    ReadResult result = get(A, B);

    assertThat(result.rounds()).isEqualTo(2);
    assertThat(result.versions()).containsEntry(A, one).containsEntry(B, other);
    assertThat(client.statistics().falsePositives()).isEqualTo(1);
    assertThat(client.statistics().readsAtAll()).isZero();
  }

  @Test
  void aFilterOfOthersDemandsNothing() {
    commit(at(-5), Mode.HYBRID, A);
    commit(at(-9), Mode.HYBRID, B);

    assertThat(get(A, B).rounds()).isEqualTo(1);
  }

  @Test
  void whatWasOverwrittenAndCollectedIsTakenNewerAndCheckedAgain() {
    Version half = version(at(-9), Mode.FAST, A, B);
    Version newer = version(at(-5), Mode.FAST, B, C);
    store.doCommit(new Write(A, half));
    store.doCommit(new Write(B, newer));
    store.doPrepare(new Write(C, newer));
    store.show(Strength.FIRST_ROUND, B, new Answer.Absent());

    ReadResult result = get(A, B, C);

    assertThat(result.rounds()).isEqualTo(3);
    assertThat(result.versions()).containsEntry(B, newer).containsEntry(C, newer);
    assertThat(client.statistics().loops()).isEqualTo(1);
  }

  @Test
  void keysThatAreWrittenAllTheTimeAreReadWithoutKnowingSiblings() {
    commit(at(-9), Mode.SMALL, A);
    commit(at(-8), Mode.SMALL, B);
    AtomicInteger second = new AtomicInteger(-7);
    store.before =
        call -> {
          if (call.startsWith("candidates")) {
            commit(at(second.getAndIncrement()), Mode.SMALL, A);
            commit(at(second.getAndIncrement()), Mode.SMALL, B);
          }
        };

    ReadResult result = get(A, B);

    assertThat(result.rounds()).isLessThanOrEqualTo(4);
    assertThat(client.statistics().readsAtAll()).isZero();
  }

  @Test
  void withoutCheckingAgainTheNewerVersionIsTorn() {
    use(RampOptions.defaults(), Rule.CHECK_AGAIN_AFTER_NEWER_MARKER);
    store.doCommit(new Write(A, version(at(-9), Mode.FAST, A, B)));
    store.doCommit(new Write(B, prepare(at(-5), Mode.FAST, B, C)));
    store.show(Strength.FIRST_ROUND, B, new Answer.Absent());

    assertThat(get(A, B, C).versions()).doesNotContainKey(C);
  }

  @Test
  void theExactVersionIsTakenThoughANewerOneIsCommitted() {
    Version half = half(at(-9), Mode.FAST, A, B);
    store.doCommit(new Write(B, prepare(at(-5), Mode.FAST, B, C)));
    store.show(Strength.FIRST_ROUND, B, new Answer.Absent());

    assertThat(get(A, B, C).versions()).containsEntry(B, half).doesNotContainKey(C);
    assertThat(store.calls).noneMatch(call -> call.startsWith("commit"));
  }

  @Test
  void aMarkerWithoutItsVersionIsLookedFor() {
    Version version = commit(at(-5), Mode.FAST, A);
    store.show(Strength.FIRST_ROUND, A, new Answer.MarkerOnly(version.timestamp()));

    assertThat(get(A).versions()).containsEntry(A, version);
    assertThat(store.calls).containsExactly("read FIRST_ROUND a", "candidates QUORUM a");
  }

  @Test
  void aNewerMarkerWithoutItsVersionIsDemanded() {
    store.doCommit(new Write(A, version(at(-9), Mode.FAST, A, B)));
    Version newer = prepare(at(-5), Mode.FAST, B);
    store.show(Strength.QUORUM, B, new Answer.MarkerOnly(newer.timestamp()));

    assertThat(get(A, B).versions()).containsEntry(B, newer);
    assertThat(client.statistics().rounds()).isEqualTo(3);
  }

  @Test
  void aMissIsAskedWithMoreStrength() {
    Version version = commit(at(-5), Mode.FAST, A);
    store.show(Strength.FIRST_ROUND, A, new Answer.Miss());
    store.show(Strength.QUORUM, A, new Answer.Miss());
    assertThat(get(A).versions()).containsEntry(A, version);

    store.show(Strength.ALL, A, new Answer.Miss());
    failure(UnavailableException.class, client.get(ReadSet.of(Set.of(A)), session));
  }

  @Test
  void aMissInTheSecondRoundRefutesNothing() {
    commit(at(-5), Mode.SMALL, A);
    store.show(Strength.QUORUM, B, new Answer.Miss());
    assertThat(get(A, B).versions()).containsOnlyKeys(A);
    assertThat(client.statistics().readsAtAll()).isEqualTo(1);

    store.show(Strength.ALL, B, new Answer.Miss());
    assertThat(failure(UnavailableException.class, client.get(ReadSet.of(Set.of(A, B)), session)))
        .hasMessageContaining("cannot be told");
  }

  @Test
  void whatAQuorumLacksIsFoundAtAllAndPreparedAgain() {
    Version half = version(at(-5), Mode.FAST, A, B);
    store.doCommit(new Write(A, half));
    store.hidden.put(B, new TreeMap<>(Map.of(half.timestamp(), half)));

    assertThat(get(A, B).versions()).containsEntry(B, half);
    assertThat(store.calls).contains("candidates ALL b", "prepare b", "commit b");
    assertThat(client.statistics().repairs()).isEqualTo(1);
  }

  @Test
  void aNewerVersionAtOneReplicaOnlyIsTakenAndCompleted() {
    store.doCommit(new Write(A, version(at(-9), Mode.FAST, A, B)));
    Version newer = version(at(-5), Mode.FAST, B);
    store.show(Strength.ALL, B, new Answer.Present(newer));

    assertThat(get(A, B).versions()).containsEntry(B, newer);
    assertThat(store.committed).containsEntry(B, newer);
  }

  @Test
  void whatIsNowhereIsSaidToBeLost() {
    Version half = version(at(-5), Mode.FAST, A, B, C);
    store.doCommit(new Write(A, half));
    store.doPrepare(new Write(C, half));

    LostVersionException lost =
        failure(LostVersionException.class, client.get(ReadSet.of(Set.of(A, B)), session));

    assertThat(lost.timestamp()).isEqualTo(half.timestamp());
    assertThat(lost.lost()).containsExactly(B);
    assertThat(lost.survivors()).containsExactlyInAnyOrder(A, C);
  }

  @Test
  void withoutAskingAllTheReadIsTorn() {
    use(RampOptions.defaults(), Rule.ESCALATE_TO_ALL);
    store.doCommit(new Write(A, version(at(-5), Mode.FAST, A, B)));

    assertThat(get(A, B).versions()).containsOnlyKeys(A);
  }

  @Test
  void anOldDemandThatIsNowhereIsAPurgedDeletion() {
    store.doCommit(new Write(A, version(at(-864_001), Mode.FAST, A, B)));

    assertThat(get(A, B).versions()).containsOnlyKeys(A);
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "FAST", mode = EnumSource.Mode.EXCLUDE)
  void whatAStaleReplicaShowsOfAPurgedKeyIsNotKept(Mode mode) {
    Version stale = version(at(-864_009), mode, B);
    Version deleting = version(at(-864_001), mode, A, B);
    store.doCommit(new Write(A, deleting));
    store.show(Strength.FIRST_ROUND, B, new Answer.Present(stale));

    assertThat(get(A, B).versions()).containsOnlyKeys(A);
    assertThat(store.calls).contains("candidates ALL b");
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "FAST", mode = EnumSource.Mode.EXCLUDE)
  void whatReplicasThatMissedAPurgeHavePreparedIsNotTaken(Mode mode) {
    Version stale = prepare(at(-864_009), mode, B);
    store.show(Strength.FIRST_ROUND, B, new Answer.MarkerOnly(stale.timestamp()));
    store.doCommit(new Write(A, version(at(-864_001), mode, A, B)));
    store.before =
        call -> {
          if (call.startsWith("candidates ALL")) {
            store.versions(B).clear();
          }
        };

    assertThat(get(A, B).versions()).containsOnlyKeys(A);
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "FAST", mode = EnumSource.Mode.EXCLUDE)
  void whatIsWrittenAfterAPurgeIsTaken(Mode mode) {
    Version stale = version(at(-864_009), mode, B);
    store.show(Strength.FIRST_ROUND, B, new Answer.Present(stale));
    store.doCommit(new Write(A, version(at(-864_001), mode, A, B)));
    Version newer = version(at(-1), mode, B);
    store.before =
        call -> {
          if (call.startsWith("candidates ALL")) {
            store.doCommit(new Write(B, newer));
          }
        };

    assertThat(get(A, B).versions()).containsEntry(B, newer);
  }

  @ParameterizedTest
  @EnumSource(value = Mode.class, names = "FAST", mode = EnumSource.Mode.EXCLUDE)
  void whatIsStillThereIsKeptThoughAnOldDemandIsNot(Mode mode) {
    Version stale = prepare(at(-864_009), mode, B);
    Version deleting = version(at(-864_001), mode, A, B);
    store.doCommit(new Write(A, deleting));
    store.show(Strength.FIRST_ROUND, B, new Answer.Present(stale));

    assertThat(get(A, B).versions()).containsEntry(B, stale);
  }

  @Test
  void aReplicaDownIsUnavailableNotLost() {
    store.doCommit(new Write(A, version(at(-5), Mode.FAST, A, B)));
    store.refuses = call -> call.contains("ALL");

    failure(UnavailableException.class, client.get(ReadSet.of(Set.of(A, B)), session));
  }

  @Test
  void whoOverwritesWhatIsReadEndlesslyIsGivenUpOn() {
    store.doCommit(new Write(A, version(at(-900), Mode.FAST, A, B)));
    int[] number = {0};
    store.before =
        call -> {
          if (call.startsWith("candidates")) {
            number[0]++;
            ItemKey next = number[0] % 2 == 0 ? A : B;
            Version version = version(at(-900 + 2 * number[0]), Mode.FAST, A, B);
            store.doCommit(new Write(next, version));
          }
        };

    ContendedException contended =
        failure(ContendedException.class, client.get(ReadSet.of(Set.of(A, B)), session));

    assertThat(contended.rounds()).isEqualTo(10);
  }

  @Test
  void aGetEndsAtItsDeadline() {
    store.holds = call -> true;
    CompletionStage<ReadResult> get = client.get(ReadSet.of(Set.of(A)), session);
    environment.pass(seconds(9));
    assertThat(get.toCompletableFuture()).isNotDone();
    environment.pass(seconds(1));

    assertThat(failure(UnavailableException.class, get)).hasMessageContaining("10000 ms");
    store.release();
    environment.pass(Duration.ofHours(1));
    assertThat(environment.timers()).isZero();
  }

  @Test
  void anAnswerAfterTheDeadlineIsNotUsed() {
    Timestamp old = half(at(-5), Mode.FAST, A, B).timestamp();
    ManualEnvironment slow = new ManualEnvironment(1);
    RampClient late = new RampClient(store, RampOptions.defaults(), new Untimely(slow));
    store.before = call -> slow.pass(seconds(6));

    failure(UnavailableException.class, late.get(ReadSet.of(Set.of(A, B)), late.newSession()));
    assertThat(store.versions(B)).containsKey(old);
  }

  @Test
  void aDeletionIsAVersion() {
    done(client.put(Map.of(A, Optional.empty()), session));

    assertThat(get(A).versions().get(A).isDeletion()).isTrue();
  }

  /** A machine whose timers never ring. */
  private record Untimely(ManualEnvironment clocks) implements Environment {
    @Override
    public long wallMicros() {
      return clocks.wallMicros();
    }

    @Override
    public long monotonicNanos() {
      return clocks.monotonicNanos();
    }

    @Override
    public long randomLong() {
      return clocks.randomLong();
    }

    @Override
    public void after(Duration delay, Runnable task) {}

    @Override
    public void warn(String message) {}
  }
}
