/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.store.Strength;
import io.kasane.ramp.store.Write;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Timestamp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionGcTest extends ProtocolFixture {
  @Test
  void aVersionIsCollectedAWindowAfterItsCommitOnTheMonotonicClock() {
    put(A);
    environment.skew(Duration.ofDays(300));
    environment.pass(seconds(59));
    assertThat(store.calls).doesNotContain("collect a");
    environment.pass(seconds(1));

    assertThat(store.calls).containsOnlyOnce("collect a");
    assertThat(store.versions(A)).isEmpty();
    environment.pass(seconds(300));
    assertThat(store.calls).containsOnlyOnce("collect a");
  }

  @Test
  void aKeyThatIsWrittenAllTheTimeIsCollectedOnceAWindow() {
    for (int second = 0; second < 600; second++) {
      put(A);
      environment.pass(seconds(1));
      assertThat(store.versions(A)).hasSizeLessThanOrEqualTo(121);
      assertThat(store.versions(A)).hasSize((int) client.statistics().versionsKept());
    }

    assertThat(client.statistics().collected()).isBetween(9L, 11L);
    assertThat(store.versions(A).firstKey().isAfter(at(-121))).isTrue();
  }

  @Test
  void whatWasNotAcknowledgedIsNotCollected() {
    store.refuses = call -> call.startsWith("commit");
    failure(UnknownOutcomeException.class, client.put(values(A), session));
    environment.pass(seconds(300));
    assertThat(client.statistics().collected()).isZero();

    use(RampOptions.defaults(), Rule.COLLECT_ONLY_COMMITTED);
    failure(UnknownOutcomeException.class, client.put(values(A), session));
    environment.pass(seconds(300));
    assertThat(client.statistics().collected()).isEqualTo(1);
  }

  @Test
  void withoutTheWindowItIsCollectedAtOnce() {
    use(RampOptions.defaults(), Rule.COLLECT_AFTER_WINDOW);
    put(A);
    environment.pass(Duration.ofMillis(1));

    assertThat(store.calls).contains("collect a");
  }

  @Test
  void whatAReaderCompletedIsCollected() {
    half(at(-5), Mode.FAST, A, B);
    get(A, B);
    environment.pass(seconds(61));

    assertThat(store.calls).contains("collect b").doesNotContain("collect a");
  }

  @Test
  void aFailedCollectionIsTriedAgain() {
    store.refuses = call -> call.startsWith("collect");
    put(A);
    environment.pass(seconds(30));
    put(A);
    environment.pass(seconds(31));
    assertThat(client.statistics().collectionsFailed()).isEqualTo(1);
    assertThat(client.statistics().versionsKept()).isEqualTo(2);
    store.refuses = call -> false;
    environment.pass(seconds(61));

    assertThat(store.versions(A)).isEmpty();
    assertThat(client.statistics().versionsKept()).isZero();
  }

  @Test
  void manyCollectionsAtOnceRunAFewAtATime() {
    store.holds = call -> call.startsWith("collect");
    for (int i = 0; i < 200; i++) {
      put(key("k" + i));
    }
    environment.pass(seconds(61));
    assertThat(store.held).hasSize(64);
    while (!store.held.isEmpty()) {
      store.release();
      environment.pass(Duration.ofMillis(1));
      assertThat(store.held.size()).isLessThanOrEqualTo(64);
    }

    assertThat(client.statistics().collected()).isEqualTo(200);
  }

  @Test
  void valuesThatAreTooManyToHoldAreReadAgain() {
    use(RampOptions.defaults().withMaxValueBytes(40 << 20).withMaxWaitingBytes(4L * (64 << 20)));
    Optional<Bytes> large = Optional.of(Bytes.copyOf(new byte[40 << 20]));
    done(client.put(Map.of(A, large), session));
    done(client.put(Map.of(B, large), session));
    environment.pass(seconds(61));

    assertThat(store.calls).contains("candidates QUORUM b").doesNotContain("candidates QUORUM a");
    assertThat(store.versions(A)).isEmpty();
    assertThat(store.versions(B)).isEmpty();
  }

  @Test
  void whatFindsNoRoomIsCountedAndToldOnceAMinute() {
    use(RampOptions.defaults().withMaxWaitingBytes(1 << 20));
    for (int number = 0; number < 3_000; number++) {
      put(key("k" + number));
      put(key("k" + number));
    }
    long waiting = client.statistics().versionsKept() / 2;
    assertThat(waiting).isBetween(500L, 1_400L);
    assertThat(client.statistics().collectionsDropped()).isBetween(3_200L, 5_000L);
    assertThat(environment.warnings)
        .containsExactly(
            "1 keys were committed whose old versions stay until the keys are written again: as"
                + " many wait to be collected as maxWaitingBytes has room for; raise it, or shorten"
                + " gcWindow");
    environment.pass(seconds(61));
    environment.pass(seconds(61));
    put(key("k2999"));
    environment.pass(seconds(61));

    assertThat(client.statistics().versionsKept()).isZero();
    assertThat(store.calls).contains("collect k0", "collect k2999");
  }

  @Test
  void deletionsThatFindNoRoomAreCountedAndTold() {
    use(RampOptions.defaults().withMaxWaitingBytes(1 << 16));
    for (int number = 0; number < 100; number++) {
      done(client.put(Map.of(key("k" + number), Optional.empty()), session));
      environment.pass(seconds(61));
    }

    assertThat(client.statistics().purgesDropped()).isBetween(50L, 70L);
    assertThat(environment.warnings).first().asString().startsWith("1 deleted keys stay");
    environment.pass(Duration.ofDays(11));
    assertThat(client.statistics().purged()).isEqualTo(100 - client.statistics().purgesDropped());
  }

  @Test
  void aClosedClientCollectsNoMore() {
    put(A);
    client.close();
    put(B);
    environment.pass(seconds(300));

    assertThat(client.statistics().collected()).isZero();
  }

  @Test
  void anItemThatIsDeletedMeanwhileIsCollectedOnce() {
    ItemKey item = item("l", "1");
    put(item);
    environment.pass(seconds(30));
    done(client.put(Map.of(item, Optional.empty()), session));
    environment.pass(seconds(31));
    assertThat(store.calls).noneMatch(call -> call.startsWith("collect"));
    environment.pass(seconds(30));

    assertThat(store.calls).filteredOn(call -> call.startsWith("collect")).hasSize(1);
    assertThat(store.committed.get(item).isDeletion()).isTrue();
    assertThat(client.statistics().versionsKept()).isZero();
  }

  @Test
  void aDeletionIsPurgedAfterItsGrace() {
    delete();
    environment.pass(Duration.ofDays(10));
    assertThat(store.committed).containsKey(A);
    environment.pass(seconds(60));

    assertThat(store.calls).contains("purge a");
    assertThat(store.committed).doesNotContainKey(A);
    assertThat(get(A).versions()).isEmpty();
    assertThat(session.floors().entries()).isEmpty();
    assertThat(client.statistics().purged()).isEqualTo(1);
  }

  @Test
  void aDeletionThatWasOverwrittenIsNotPurged() {
    delete();
    environment.pass(seconds(61));
    Timestamp newer = commit(at(0), Mode.FAST, A).timestamp();
    environment.pass(Duration.ofDays(11));

    assertThat(store.calls).doesNotContain("purge a");
    assertThat(store.committed.get(A).timestamp()).isEqualTo(newer);
  }

  @Test
  void whoReadsAnOldDeletionPurgesIt() {
    Timestamp deletion = delete();
    client.close();
    environment.pass(Duration.ofDays(11));
    use(RampOptions.defaults());
    assertThat(get(A).versions().get(A).timestamp()).isEqualTo(deletion);
    environment.pass(seconds(59));
    assertThat(store.committed).as("gets that saw what was before are over").isNotEmpty();
    environment.pass(seconds(1));

    assertThat(store.committed).isEmpty();
  }

  @Test
  void aCollectionThatOthersDidIsNoFailure() {
    use(RampOptions.defaults().withMaxValueBytes(80 << 20).withMaxWaitingBytes(4L * (64 << 20)));
    Optional<Bytes> large = Optional.of(Bytes.copyOf(new byte[80 << 20]));
    done(client.put(Map.of(A, large), session));
    Write newer = new Write(A, version(at(3), Mode.FAST, A));
    store.doCommit(newer);
    store.versions(A).clear();
    store.show(Strength.QUORUM, A, new Answer.Present(newer.version()));
    environment.pass(seconds(61));

    assertThat(store.calls).doesNotContain("collect a");
    assertThat(client.statistics().collectionsFailed()).isZero();
  }

  private Timestamp delete() {
    return done(client.put(Map.of(A, Optional.empty()), session));
  }
}
