/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kasane.ramp.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  private static final long MANY_BYTES = 1L << 40;

  @Test
  void whatFindsNoRoomToWaitFailsAtOnce() {
    InFlightLimit limit = new InFlightLimit(1, 10_000);
    CompletableFuture<Integer> first = new CompletableFuture<>();
    CompletionStage<Integer> sent = limit.run(1 << 20, () -> first);
    List<CompletionStage<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      waiting.add(limit.run(1_000, () -> CompletableFuture.completedFuture(number)));
    }

    assertThatThrownBy(() -> waiting.get(5).toCompletableFuture().get())
        .hasRootCauseInstanceOf(StoreException.class)
        .hasMessageContaining("maxWaitingBytes is 10,000");
    first.complete(7);
    assertThat(sent.toCompletableFuture()).isCompletedWithValue(7);
    assertThat(waiting.get(3).toCompletableFuture()).isCompletedWithValue(3);
    assertThat(limit.run(9_000, () -> first).toCompletableFuture()).isCompletedWithValue(7);
  }

  @Test
  void neverExceedsTheBoundAndServesInOrder() {
    InFlightLimit limit = new InFlightLimit(3, MANY_BYTES);
    Queue<CompletableFuture<Integer>> started = new ArrayDeque<>();
    List<CompletionStage<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      results.add(
          limit.run(
              0,
              () -> {
                CompletableFuture<Integer> request = new CompletableFuture<>();
                started.add(request);
                return request;
              }));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(started).hasSize(Math.min(3, 10 - i));
      started.remove().complete(i);
      assertThat(results.get(i).toCompletableFuture()).isCompletedWithValue(i);
    }
  }

  @Test
  void requestsThatFailAtOnceNeitherBlockNorNest() {
    InFlightLimit limit = new InFlightLimit(1, MANY_BYTES);
    CompletableFuture<Integer> first = new CompletableFuture<>();
    limit.run(0, () -> first);
    List<CompletionStage<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      boolean throwing = i % 2 == 0;
      results.add(
          limit.run(
              0,
              () -> {
                if (throwing) {
                  throw new IllegalStateException("at once");
                }
                return CompletableFuture.failedFuture(new IllegalStateException("at once"));
              }));
    }
    first.complete(1);
    assertThat(results).allMatch(result -> result.toCompletableFuture().isCompletedExceptionally());
  }

  @Test
  void refusesABoundThatSendsNothing() {
    assertThatThrownBy(() -> new InFlightLimit(0, MANY_BYTES))
        .hasMessageContaining("maxInFlight: 0");
  }
}
