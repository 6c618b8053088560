/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Mode;
import io.kasane.ramp.version.Version;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReadTransactionTest extends ProtocolFixture {
  private int runs;

  @Test
  void aLaterGetMeetsWhatAnEarlierOneDemands() {
    Version half = half(at(-5), Mode.FAST, A, B);

    ReadResult last = transaction(A, B);

    assertThat(last.versions()).containsOnlyKeys(B).containsEntry(B, half);
    assertThat(runs).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void whatMakesAnEarlierGetTooOldRunsItAgain(Mode mode) {
    commit(at(-9), mode, A);
    store.before =
        call -> {
          if (call.equals("read FIRST_ROUND b") && runs == 1) {
            commit(at(-5), mode, A, B);
          }
        };

    done(client.readTransaction(this::both, session));

    assertThat(runs).isEqualTo(2);
    assertThat(client.statistics().restarts()).isEqualTo(1);
  }

  @Test
  void aKeyThatWasReturnedStaysAsItIs() {
    Version first = commit(at(-9), Mode.FAST, A);
    store.before =
        call -> {
          if (call.equals("read FIRST_ROUND b")) {
            commit(at(-5), Mode.FAST, A);
          }
        };

    ReadResult last =
        done(
            client.readTransaction(
                tx -> tx.get(keys(A)).thenCompose(x -> tx.get(keys(A, B))), session));

    assertThat(last.versions()).containsEntry(A, first);
  }

  @Test
  void anItemThatIsMissedInACollectionRunsItAgain() {
    ItemKey one = item("l", "1");
    commit(at(-9), Mode.FAST, item("l", "0"));
    store.before =
        call -> {
          if (call.equals("read FIRST_ROUND b") && runs == 1) {
            commit(at(-5), Mode.FAST, B, one);
          }
        };

    ReadResult list =
        done(
            client.readTransaction(
                tx -> {
                  runs++;
                  return tx.get(ReadSet.of(CollectionKey.of(one)))
                      .thenCompose(seen -> tx.get(keys(B)).thenApply(other -> seen));
                },
                session));

    assertThat(runs).isEqualTo(2);
    assertThat(list.versions()).containsKey(one).hasSize(2);
  }

  @Test
  void whatIsOverwrittenBetweenAllGetsIsSeenAtOnceTheSecondTime() {
    store.before =
        call -> {
          if (call.startsWith("read FIRST_ROUND")) {
            commit(at(-500 + store.calls.size()), Mode.FAST, A, B);
          }
        };

    ReadResult last = done(client.readTransaction(this::both, session));

    assertThat(last.versions()).containsOnlyKeys(B);
    assertThat(runs).isEqualTo(2);
    assertThat(store.calls)
        .containsSubsequence("read FIRST_ROUND a", "read FIRST_ROUND b", "read FIRST_ROUND a b")
        .filteredOn(call -> call.startsWith("read"))
        .hasSize(3);
  }

  @Test
  void whoAsksForAnotherKeyEachTimeIsGivenUpOn() {
    store.before =
        call -> {
          if (call.startsWith("read FIRST_ROUND n")) {
            commit(at(-500 + runs), Mode.FAST, A, key("n" + runs));
          }
        };

    assertThat(
            failure(
                    ContendedException.class,
                    client.readTransaction(
                        tx -> {
                          runs++;
                          ItemKey another = key("n" + runs);
                          return tx.get(keys(A)).thenCompose(seen -> tx.get(keys(another)));
                        },
                        session))
                .rounds())
        .isEqualTo(10);
  }

  @Test
  void getsSideBySideAreOneAfterTheOther() {
    store.holds = call -> call.equals("read FIRST_ROUND a");
    CompletionStage<ReadResult> both =
        client.readTransaction(
            tx -> tx.get(keys(A)).thenCombine(tx.get(keys(B)), (one, other) -> other), session);
    assertThat(store.calls).containsExactly("read FIRST_ROUND a");
    store.release();

    done(both);
  }

  @Test
  void afterAFailedGetNoOtherSucceeds() {
    store.refuses = call -> call.endsWith(" a");

    failure(
        UnavailableException.class,
        client.readTransaction(
            tx -> tx.get(keys(A)).handle((x, e) -> 0).thenCompose(x -> tx.get(keys(B))), session));
  }

  @Test
  void theFailureOfTheFunctionIsTheCallers() {
    failure(
        IllegalStateException.class,
        client.readTransaction(
            tx -> {
              throw new IllegalStateException();
            },
            session));
    failure(
        IllegalStateException.class,
        client.readTransaction(
            tx -> CompletableFuture.failedFuture(new IllegalStateException()), session));
  }

  private ReadResult transaction(ItemKey first, ItemKey second) {
    return done(
        client.readTransaction(
            tx -> {
              runs++;
              return tx.get(keys(first)).thenCompose(x -> tx.get(keys(second)));
            },
            session));
  }

  private CompletionStage<ReadResult> both(ReadTransaction tx) {
    runs++;
    return tx.get(keys(A))
        .thenCompose(
            first ->
                tx.get(keys(B))
                    .thenApply(
                        second -> {
                          if (second.versions().containsKey(B)) {
                            assertThat(first.versions().get(A)).isEqualTo(second.versions().get(B));
                          }
                          return second;
                        }));
  }

  private static ReadSet keys(ItemKey... keys) {
    return ReadSet.of(Set.of(keys));
  }
}
