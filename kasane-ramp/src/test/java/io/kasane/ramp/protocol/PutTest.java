/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.SiblingNames;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PutTest extends ProtocolFixture {
  @Test
  void aPutPreparesLooksAndCommits() {
    Timestamp timestamp = put(B, A);

    assertThat(store.calls).containsExactly("prepare a b", "read QUORUM a b", "commit a b");
    Version version = store.committed.get(A);
    assertThat(version.timestamp()).isEqualTo(timestamp);
    assertThat(version.siblings()).isEqualTo(new SiblingNames(Set.of(A, B)));
    assertThat(store.versions(B)).containsEntry(timestamp, store.committed.get(B));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void versionsSayWhatTheModeSaysButItemsAreAlwaysNamed(Mode mode) {
    use(RampOptions.defaults().withMode(mode));
    put(A, B);
    put(C, item("l", "1"));

    assertThat(store.committed.get(A).siblings().mode()).isEqualTo(mode);
    assertThat(store.committed.get(C).siblings().mode()).isEqualTo(Mode.FAST);
  }

  @Test
  void nothingIsCommittedBeforeAllIsPreparedAndLookedAt() {
    store.holds = call -> !call.startsWith("commit");
    CompletionStage<Timestamp> put = client.put(values(A, B), session);
    store.release();
    assertThat(store.calls).doesNotContain("commit a b");
    store.release();

    done(put);
    assertThat(store.calls).contains("commit a b");
  }

  @Test
  void aNewerVersionMovesThePutAboveIt() {
    Timestamp ahead = commit(at(20), Mode.FAST, B).timestamp();

    Timestamp timestamp = put(A, B);

    assertThat(timestamp.isAfter(ahead)).isTrue();
    assertThat(store.committed.get(B).timestamp()).isEqualTo(timestamp);
    assertThat(client.statistics().reprepared()).isEqualTo(1);
    assertThat(put(C).isAfter(timestamp)).isTrue();
  }

  @Test
  void withoutTheLookAPutMayBeLost() {
    use(RampOptions.defaults().withCheckMarkers(false));
    Version ahead = commit(at(20), Mode.FAST, B);
    put(B);
    assertThat(store.calls).containsExactly("prepare b", "commit b");
    assertThat(store.committed).containsEntry(B, ahead);

    use(RampOptions.defaults(), Rule.CHECK_MARKERS);
    put(B);
    assertThat(store.committed).containsEntry(B, ahead);
  }

  @Test
  void aClockTooFarAheadIsRefusedByName() {
    Version ahead = commit(at(31), Mode.FAST, B);

    ClockDriftException drift =
        failure(ClockDriftException.class, client.put(values(A, B), session));

    assertThat(drift).hasMessageContaining("0000000000000005").hasMessageContaining("31000 ms");
    assertThat(drift.client()).isEqualTo(5);
    assertThat(store.committed).containsOnlyKeys(B);
    assertThat(get(B).versions()).containsEntry(B, ahead);
    failure(ClockDriftException.class, client.put(values(B), session));
    assertThat(put(A).isAfter(ahead.timestamp())).isFalse();
  }

  @Test
  void aClockThatIsKnownToBeWrongPutsNothing() {
    client.clockIsAhead(Duration.ofHours(1));
    assertThat(failure(ClockDriftException.class, client.put(values(A), session)))
        .hasMessageContaining("3600000 ms ahead of the nodes' clocks")
        .hasMessageContaining("half of maxClockDrift is 15000 ms");
    client.clockIsAhead(Duration.ofSeconds(-16));
    assertThat(failure(ClockDriftException.class, client.put(values(A), session)))
        .hasMessageContaining("16000 ms behind the nodes' clocks");
    assertThat(store.calls).isEmpty();
    assertThat(get(A).versions()).isEmpty();
    client.clockIsAhead(Duration.ofSeconds(15));

    put(A);
  }

  @Test
  void whatMayBeCommittedIsRetriedWithAnyClock() {
    store.refuses = call -> call.startsWith("commit");
    UnknownOutcomeException failed =
        failure(UnknownOutcomeException.class, client.put(values(A), session));
    store.refuses = call -> false;
    client.clockIsAhead(Duration.ofHours(1));

    assertThat(done(failed.retryAsync())).isEqualTo(failed.timestamp());
  }

  @Test
  void whatIsReadIsBelowWhatIsWritten() {
    Timestamp ahead = commit(at(20), Mode.FAST, A).timestamp();
    get(A);
    assertThat(put(B).isAfter(ahead)).isTrue();

    use(RampOptions.defaults(), Rule.MERGE_CLOCK);
    get(A);
    assertThat(put(C).isAfter(ahead)).isFalse();
    assertThat(put(A).isAfter(ahead)).isFalse();
  }

  @Test
  void aPutMovesOnceHoweverFastOthersWrite() {
    store.before =
        call -> {
          if (call.startsWith("read QUORUM")) {
            commit(at(1 + store.calls.size()), Mode.FAST, A);
          }
          if (call.startsWith("prepare") && store.calls.size() > 2) {
            commit(at(10), Mode.FAST, A);
          }
        };

    Timestamp timestamp = put(A, B);

    assertThat(store.calls)
        .containsExactly("prepare a b", "read QUORUM a b", "prepare a b", "commit a b");
    assertThat(timestamp.isAfter(at(3))).isTrue();
    assertThat(store.committed.get(A).timestamp()).isEqualTo(at(10));
    assertThat(store.committed.get(B).timestamp()).isEqualTo(timestamp);
  }

  @Test
  void allHandlesOfAPutAreOnePut() {
    store.refuses = call -> call.startsWith("prepare");
    NotCommittedException first =
        failure(NotCommittedException.class, client.put(values(A), session));
    NotCommittedException second = failure(NotCommittedException.class, first.retryAsync());
    store.refuses = call -> false;
    Timestamp ahead = commit(at(3), Mode.FAST, A).timestamp();
    store.holds = call -> call.startsWith("commit");
    CompletionStage<Timestamp> running = second.retryAsync();
    CompletionStage<Timestamp> same = first.retryAsync();
    store.release();
    Timestamp committed = done(running);
    Version newer = commit(at(9), Mode.FAST, A);

    assertThat(committed.isAfter(ahead)).isTrue();
    assertThat(done(same)).isEqualTo(committed);
    assertThat(done(first.retryAsync())).isEqualTo(committed);
    assertThat(done(second.retryAsync())).isEqualTo(committed);
    assertThat(store.calls).filteredOn(call -> call.startsWith("commit")).hasSize(1);
    assertThat(store.committed).containsEntry(A, newer);
  }

  @Test
  void whoStopsWaitingHasAHandle() {
    store.holds = call -> call.startsWith("commit");
    PendingPut put = client.beginPut(values(A), session);
    UnknownOutcomeException abandoned = put.abandoned(new InterruptedException("interrupted"));
    CompletionStage<Timestamp> joined = abandoned.retryAsync();
    put.outcome().toCompletableFuture().cancel(false);
    store.release();

    assertThat(done(joined)).isEqualTo(abandoned.timestamp());
    assertThat(done(abandoned.retryAsync())).isEqualTo(abandoned.timestamp());
    assertThat(store.calls).filteredOn(call -> call.startsWith("commit")).hasSize(1);
  }

  @Test
  void whatWasAcknowledgedAfterTheNextTryBeganIsAcknowledged() {
    store.holds = call -> call.startsWith("commit");
    CompletionStage<Timestamp> put = client.put(values(A), session);
    environment.pass(seconds(10));
    UnknownOutcomeException unknown = failure(UnknownOutcomeException.class, put);
    CompletionStage<Timestamp> again = unknown.retryAsync();
    store.release();
    environment.pass(seconds(10));
    failure(UnknownOutcomeException.class, again);

    assertThat(done(unknown.retryAsync())).isEqualTo(unknown.timestamp());
    assertThat(store.calls).filteredOn(call -> call.startsWith("commit")).hasSize(2);
  }

  @Test
  void aTryThatIsOverdueDoesNotMoveTheNext() {
    store.holds = call -> call.startsWith("read QUORUM");
    NotCommittedException late;
    CompletionStage<Timestamp> put = client.put(values(A), session);
    environment.pass(seconds(10));
    late = failure(NotCommittedException.class, put);
    store.holds = call -> call.startsWith("commit");
    CompletionStage<Timestamp> again = late.retryAsync();
    Timestamp ahead = commit(at(3), Mode.FAST, A).timestamp();
    store.release();
    store.release();

    assertThat(done(again)).isEqualTo(late.timestamp());
    assertThat(late.timestamp().isAfter(ahead)).isFalse();
  }

  @Test
  void aFailedPrepareIsNotCommittedAndRepeatedAsItIs() {
    store.refuses = call -> call.startsWith("prepare");
    NotCommittedException failed =
        failure(NotCommittedException.class, client.put(values(A, B), session));
    assertThat(store.committed).isEmpty();
    assertThat(session.floors().entries()).isEmpty();
    store.refuses = call -> false;
    environment.pass(seconds(1));

    assertThat(done(failed.retryAsync())).isEqualTo(failed.timestamp());
    assertThat(store.committed.get(A).timestamp()).isEqualTo(failed.timestamp());
    assertThat(get(A).versions()).containsKey(A);
    assertThat(done(failed.retryAsync())).isEqualTo(failed.timestamp());
  }

  @Test
  void aRetryOfWhatNobodySawMovesAboveNewerVersions() {
    store.refuses = call -> call.startsWith("read QUORUM");
    NotCommittedException failed =
        failure(NotCommittedException.class, client.put(values(A), session));
    store.refuses = call -> false;
    Timestamp newer = commit(at(3), Mode.FAST, A).timestamp();

    assertThat(done(failed.retryAsync()).isAfter(newer)).isTrue();
  }

  @Test
  void aFailedCommitIsUnknownAndKeepsItsTimestampWhateverIsNewer() {
    store.refuses = call -> call.startsWith("commit");
    UnknownOutcomeException failed =
        failure(UnknownOutcomeException.class, client.put(values(A, B), session));
    UnknownOutcomeException again = failure(UnknownOutcomeException.class, failed.retryAsync());
    store.refuses = call -> call.startsWith("prepare");
    again = failure(UnknownOutcomeException.class, again.retryAsync());
    store.refuses = call -> false;
    Version newer = commit(at(3), Mode.FAST, A);

    assertThat(done(again.retryAsync())).isEqualTo(failed.timestamp());
    assertThat(store.committed).containsEntry(A, newer);
    assertThat(store.committed.get(B).timestamp()).isEqualTo(failed.timestamp());
  }

  @Test
  void aCommitThatWasSentIsNotRepeatedAfterTheGraceByEitherClock() {
    store.refuses = call -> call.startsWith("commit");
    UnknownOutcomeException failed =
        failure(UnknownOutcomeException.class, client.put(values(A), session));
    store.refuses = call -> false;
    environment.skew(Duration.ofDays(11));
    RampException refused = failure(RampException.class, failed.retryAsync());
    assertThat(refused).isNotInstanceOf(UnfinishedPutException.class);
    assertThat(refused)
        .hasMessageContaining("it was begun more than gcGrace (PT240H) ago")
        .hasMessageContaining("Read its keys");

    environment.skew(Duration.ofDays(-11));
    environment.pass(Duration.ofDays(10));
    assertThat(done(failed.retryAsync())).isEqualTo(failed.timestamp());
    assertThat(store.committed).containsKey(A);
  }

  @Test
  void aClockThatIsSetBackMakesNothingYounger() {
    store.refuses = call -> call.startsWith("commit");
    UnknownOutcomeException failed =
        failure(UnknownOutcomeException.class, client.put(values(A), session));
    store.refuses = call -> false;
    environment.skew(Duration.ofDays(-11));
    environment.pass(Duration.ofDays(10).plusMillis(1));

    failure(RampException.class, failed.retryAsync());
    assertThat(store.committed).isEmpty();
  }

  @Test
  void aPutThatNobodySawBeginsAnewAfterTheGrace() {
    store.refuses = call -> call.startsWith("prepare");
    NotCommittedException failed =
        failure(NotCommittedException.class, client.put(values(A), session));
    store.refuses = call -> false;
    environment.pass(Duration.ofDays(11));

    Timestamp committed = done(failed.retryAsync());
    assertThat(committed.micros()).isGreaterThanOrEqualTo(at(0).micros());
    assertThat(store.committed.get(A).timestamp()).isEqualTo(committed);
  }

  @Test
  void aProcessThatStoodStillBetweenPrepareAndCommitDoesNotCommit() {
    store.holds = call -> call.startsWith("prepare");
    CompletionStage<Timestamp> put = client.put(values(A), session);
    environment.skew(Duration.ofDays(11));
    store.release();

    failure(NotCommittedException.class, put);
    assertThat(store.calls).doesNotContain("commit a");
  }

  @Test
  void withoutTheRuleARetryTakesAFreshTimestamp() {
    use(RampOptions.defaults(), Rule.RETRY_SAME_TIMESTAMP);
    store.refuses = call -> call.startsWith("commit");
    UnknownOutcomeException failed =
        failure(UnknownOutcomeException.class, client.put(values(A), session));
    store.refuses = call -> false;

    assertThat(done(failed.retryAsync()).isAfter(failed.timestamp())).isTrue();
  }

  @Test
  void afterItsDeadlineAPreparedPutIsNeverCommitted() {
    store.holds = call -> call.startsWith("prepare");
    CompletionStage<Timestamp> put = client.put(values(A), session);
    environment.pass(seconds(10));
    failure(NotCommittedException.class, put);
    store.release();

    assertThat(store.calls).doesNotContain("commit a");
  }

  @Test
  void aCommitAfterTheDeadlineIsUnknownThenRemembered() {
    store.holds = call -> call.startsWith("commit");
    CompletionStage<Timestamp> put = client.put(values(A), session);
    environment.pass(seconds(10));
    failure(UnknownOutcomeException.class, put);
    store.release();

    assertThat(session.floors().entries()).hasSize(1);
  }

  @Test
  void withoutPreparingFirstCommitsAreSentAtOnce() {
    use(RampOptions.defaults(), Rule.PREPARE_BEFORE_COMMIT);
    store.holds = call -> call.startsWith("prepare");
    client.put(values(A), session);

    assertThat(store.committed).containsKey(A);
  }

  @Test
  void aQuorumThatCannotSayStopsThePut() {
    store.show(Strength.QUORUM, A, new Answer.Miss());

    assertThat(failure(NotCommittedException.class, client.put(values(A), session)))
        .rootCause()
        .hasMessageContaining("what is committed of " + A + " cannot be told")
        .hasMessageContaining("checkMarkers off");
  }

  @Test
  void limitsAreRefusedInWords() {
    use(RampOptions.defaults().withMaxValueBytes(4).withMaxSiblingBytes(30));
    refused(values(A), "5 bytes, maxValueBytes is 4");
    refused(Map.of(), "writes no key");
    Map<ItemKey, Optional<Bytes>> many = new HashMap<>();
    for (int i = 10; i < 40; i++) {
      many.put(key("k" + i), Optional.empty());
    }
    refused(many, "30 keys take 154 bytes");
    use(RampOptions.defaults().withMode(Mode.HYBRID).withMaxSiblingBytes(30));
    refused(many, "30 keys take 38 bytes");
    assertThat(store.calls).isEmpty();
  }

  @Test
  void aClockBehindGivesTimestampsThatOnlyGrow() {
    HybridLogicalClock clock = new HybridLogicalClock(environment, Duration.ofSeconds(1), true);
    Timestamp first = clock.next();
    environment.skew(Duration.ofSeconds(-100));
    Timestamp second = clock.next();

    assertThat(second.isAfter(first)).isTrue();
    assertThat(clock.observe(first)).isTrue();
    assertThat(clock.observe(new Timestamp(first.micros() + 10, 1))).isFalse();
    assertThat(clock.next().micros()).isEqualTo(first.micros() + 2);
  }

  private void refused(Map<ItemKey, Optional<Bytes>> writes, String words) {
    assertThat(failure(InvalidTransactionException.class, client.put(writes, session)))
        .hasMessageContaining(words);
  }
}
