/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Keeps the number of requests that are under way below a bound; those above it wait their turn.
 * Thread-safe; who waits is started by the thread that completes another request.
 */
final class InFlightLimit {
  private final int mostInFlight;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger drains = new AtomicInteger();
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  InFlightLimit(int mostInFlight) {
    if (mostInFlight < 1) {
      throw new IllegalArgumentException(
          "maxInFlight: " + mostInFlight + " is below 1, the least with which anything is sent");
    }
    this.mostInFlight = mostInFlight;
  }

  <T> CompletionStage<T> run(Supplier<CompletionStage<T>> request) {
    CompletableFuture<T> result = new CompletableFuture<>();
    waiting.add(() -> start(request, result));
    drain();
    return result;
  }

  private <T> void start(Supplier<CompletionStage<T>> request, CompletableFuture<T> result) {
    CompletionStage<T> started;
    try {
      started = request.get();
    } catch (RuntimeException e) {
      started = CompletableFuture.failedFuture(e);
    }
    // The place is given on before the result is: who waits for it may start the next request.
    started.whenComplete(
        (value, failure) -> {
          inFlight.decrementAndGet();
          drain();
          if (failure == null) {
            result.complete(value);
          } else {
            result.completeExceptionally(failure);
          }
        });
  }

  /** One thread at a time, and never deeper: a request that fails at once comes back here. */
  private void drain() {
    if (drains.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    do {
      while (inFlight.get() < mostInFlight) {
        Runnable next = waiting.poll();
        if (next == null) {
          break;
        }
        inFlight.incrementAndGet();
        next.run();
      }
      seen = drains.addAndGet(-seen);
    } while (seen > 0);
  }
}
