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
import io.kasane.ramp.version.Version;
import io.kasane.ramp.version.VersionCodec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeedTest extends ProtocolFixture {
  private static final Bytes OLD = Bytes.utf8("old");
  private static final Bytes NEW = Bytes.utf8("new");

  private Set<ItemKey> seed(ItemKey key, Bytes value, long order) {
    return done(client.seed(Map.of(key, value), order));
  }

  private Optional<Bytes> value(ItemKey key) {
    return store.committed.get(key).value();
  }

  private static Version deletion(Timestamp timestamp, ItemKey key) {
    return new Version(timestamp, new SiblingNames(Set.of(key), Set.of(key)), Optional.empty());
  }

  @Test
  void aSeedIsReadAsWhatATransactionWrote() {
    assertThat(seed(A, OLD, 7)).containsExactly(A);

    assertThat(store.calls).containsExactly("read QUORUM a", "commit a");
    assertThat(get(A).versions().get(A).value()).contains(OLD);
  }

  @Test
  void aTransactionBeforeOrAfterItStays() {
    put(A);
    assertThat(seed(A, OLD, Long.MAX_VALUE)).isEmpty();
    assertThat(value(A)).contains(Bytes.utf8("value"));

    seed(B, OLD, Long.MAX_VALUE);
    put(B);
    assertThat(value(B)).contains(Bytes.utf8("value"));
  }

  @Test
  void aDeletionBeforeItStays() {
    store.doCommit(new Write(A, deletion(at(-1), A)));
    assertThat(seed(A, OLD, Long.MAX_VALUE)).isEmpty();
    assertThat(value(A)).isEmpty();
  }

  @Test
  void aTransactionThatCommitsBetweenLookAndCommitStays() {
    store.before = call -> onCommit(call, A, commitOf(A));
    seed(A, OLD, Long.MAX_VALUE);
    assertThat(store.committed.get(A).timestamp()).isEqualTo(at(0));
  }

  private Write commitOf(ItemKey key) {
    return new Write(key, version(at(0), Mode.FAST, key));
  }

  private void onCommit(String call, ItemKey key, Write write) {
    if (call.startsWith("commit")) {
      store.before = nothing -> {};
      store.doCommit(write);
      assertThat(store.committed).containsKey(key);
    }
  }

  @Test
  void theSameValueIsWrittenOnce() {
    seed(A, OLD, 7);
    store.calls.clear();
    assertThat(seed(A, OLD, 9)).isEmpty();
    assertThat(store.calls).containsExactly("read QUORUM a");
  }

  @Test
  void ofTwoValuesTheOneThatWasReadLaterStays() {
    seed(A, NEW, 9);
    assertThat(seed(A, OLD, 7)).isEmpty();
    assertThat(value(A)).contains(NEW);
    assertThat(seed(A, OLD, 10)).containsExactly(A);
    assertThat(value(A)).contains(OLD);
  }

  /** Cassandra keeps the larger bytes of two cells with the same microsecond. */
  @Test
  void aStoreThatOrdersByBytesKeepsTheLaterSeed() {
    Version earlier = seeded(NEW, 255);
    Version later = seeded(OLD, 256);
    assertThat(earlier.timestamp().micros()).isEqualTo(later.timestamp().micros());
    assertThat(VersionCodec.encode(later)).isGreaterThan(VersionCodec.encode(earlier));
    assertThat(later.timestamp()).isGreaterThan(earlier.timestamp());
  }

  private Version seeded(Bytes value, long order) {
    store.committed.clear();
    seed(A, value, order);
    return store.committed.get(A);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void seedsOfOneMomentDemandNothingOfEachOther(Mode mode) {
    use(RampOptions.defaults().withMode(mode));
    done(client.seed(Map.of(A, OLD, B, NEW), 7));
    done(client.seed(Map.of(C, OLD), 8));

    ReadResult seen = get(A, B, C, key("d"));

    assertThat(seen.versions()).containsOnlyKeys(A, B, C);
    assertThat(seen.rounds()).isEqualTo(1);
  }

  @Test
  void aReadOfASeedAndATransactionIsWhole() {
    seed(A, OLD, 7);
    Version half = half(at(-1), Mode.FAST, B, A);
    assertThat(get(A, B).versions()).containsEntry(A, half).containsEntry(B, half);
  }

  @Test
  void aSeedThatIsGoneFromTheReplicasReadsAsAbsentAndIsNoLoss() {
    seed(A, OLD, 7);
    get(A);
    store.committed.remove(A);
    assertThat(get(A).versions()).isEmpty();
  }

  @Test
  void aDeletionOfAnItemIsWrittenOverASeedThatMissedIt() {
    ItemKey item = item("l", "1");
    Version deletion = deletion(at(-1), item);
    store.before = call -> onCommit(call, item, new Write(item, deletion));

    seed(item, OLD, 7);

    assertThat(store.calls)
        .containsExactly("read QUORUM l/1", "commit l/1", "read QUORUM l/1", "commit l/1");
    assertThat(store.committed).containsEntry(item, deletion);
  }

  @Test
  void whatIsThereOrDeletedIsNotMissing() {
    seed(A, OLD, 7);
    store.doCommit(new Write(B, deletion(at(-1), B)));
    assertThat(done(client.missing(Set.of(A, B, C)))).containsExactly(C);
  }

  @Test
  void whatCannotBeToldIsNeitherWrittenNorMissing() {
    store.show(Strength.QUORUM, A, new Answer.Miss());
    assertThat(failure(UnavailableException.class, client.seed(Map.of(A, OLD), 7)))
        .hasMessageContaining("cannot be told");
    failure(UnavailableException.class, client.missing(Set.of(A)));
    assertThat(store.committed).isEmpty();
  }

  @Test
  void aStoreThatRefusesFailsTheStage() {
    store.refuses = call -> call.startsWith("commit");
    failure(UnavailableException.class, client.seed(Map.of(A, OLD), 7));
  }

  @Test
  void nothingIsWrittenAfterTheDeadline() {
    store.holds = call -> call.startsWith("read");
    CompletionStage<Set<ItemKey>> seed = client.seed(Map.of(A, OLD), 7);
    environment.pass(Duration.ofSeconds(11));
    failure(UnavailableException.class, seed);
    store.release();
    assertThat(store.committed).isEmpty();
  }

  @Test
  void limitsHold() {
    use(RampOptions.defaults().withMaxValueBytes(2));
    assertThat(failure(InvalidTransactionException.class, client.seed(Map.of(A, OLD), 7)))
        .hasMessageContaining("has 3 bytes, maxValueBytes is 2");
    assertThat(failure(IllegalArgumentException.class, client.seed(Map.of(), -1)))
        .hasMessageContaining("order is -1");
  }

  @Test
  void aClockThatIsKnownToBeWrongSeedsNothing() {
    client.clockIsAhead(Duration.ofHours(1));
    failure(ClockDriftException.class, client.seed(Map.of(A, OLD), 7));
    assertThat(store.calls).isEmpty();
  }
}
