/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.store;

import io.kasane.ramp.store.StoreException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Keeps the number of requests that are under way below a bound; those above it wait their turn, as
 * many as there is memory for. Thread-safe; who waits is started by the thread that completes
 * another request.
 */
final class InFlightLimit {
  /** What a request takes beside what it says of itself. */
  private static final int REQUEST_BYTES = 1024;

  private final int mostInFlight;
  private final long mostWaitingBytes;
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger drains = new AtomicInteger();
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  InFlightLimit(int mostInFlight, long mostWaitingBytes) {
    if (mostInFlight < 1) {
      throw new IllegalArgumentException(
          "maxInFlight: " + mostInFlight + " is below 1, the least with which anything is sent");
    }
    this.mostInFlight = mostInFlight;
    this.mostWaitingBytes = mostWaitingBytes;
  }

  /**
   * Runs a request when its turn has come; fails at once if too much waits already.
   *
   * @param bytes what the request keeps in memory until then
   */
  <T> CompletionStage<T> run(long bytes, Supplier<CompletionStage<T>> request) {
    long taken = bytes + REQUEST_BYTES;
    long all = waitingBytes.addAndGet(taken);
    if (all > mostWaitingBytes && all > taken) {
      waitingBytes.addAndGet(-taken);
      return CompletableFuture.failedFuture(
          new StoreException(
              String.format(
                  "Requests of %,d bytes wait for one of %,d places (maxInFlight), and"
                      + " maxWaitingBytes is %,d: start fewer at a time, or raise one of them",
                  all - taken, mostInFlight, mostWaitingBytes),
              null));
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    waiting.add(
        () -> {
          waitingBytes.addAndGet(-taken);
          start(request, result);
        });
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
