/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  @Test
  void neverExceedsTheBoundAndServesInOrder() {
    InFlightLimit limit = new InFlightLimit(3);
    Queue<CompletableFuture<Integer>> started = new ArrayDeque<>();
    List<CompletionStage<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      results.add(
          limit.run(
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
    InFlightLimit limit = new InFlightLimit(1);
    CompletableFuture<Integer> first = new CompletableFuture<>();
    limit.run(() -> first);
    List<CompletionStage<Integer>> results = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      boolean throwing = i % 2 == 0;
      results.add(
          limit.run(
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
    assertThatThrownBy(() -> new InFlightLimit(0)).hasMessageContaining("maxInFlight: 0");
  }
}
