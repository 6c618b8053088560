/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Lets a bounded number of stages run. For one thread, whatever threads the stages end on. */
final class InFlight {
  private final int most;
  private final Semaphore free;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  InFlight(int most) {
    this.most = most;
    this.free = new Semaphore(most);
  }

  /** Begun by {@link #begin}. */
  interface Work<T> {
    /** Begins it. */
    CompletionStage<T> begin();
  }

  /** Begins something once there is room; throws what failed since. */
  <T> void begin(Work<T> work, Consumer<T> ended) throws InterruptedException {
    free.acquire();
    CompletionStage<T> stage;
    try {
      requireWell();
      stage = work.begin();
    } catch (RuntimeException e) {
      free.release();
      throw e;
    }
    stage.whenComplete(
        (value, thrown) -> {
          if (thrown == null) {
            ended.accept(value);
          } else {
            failure.compareAndSet(null, thrown);
          }
          free.release();
        });
  }

  /** Waits for all of them; throws what failed since. */
  void end() throws InterruptedException {
    free.acquire(most);
    free.release(most);
    requireWell();
  }

  private void requireWell() {
    Throwable thrown = failure.getAndSet(null);
    if (thrown != null) {
      throw Answers.unwrapped(thrown);
    }
  }
}
