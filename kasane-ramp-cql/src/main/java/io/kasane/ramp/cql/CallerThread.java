/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/**
 * Lends the thread that waits for a stage to the functions that the stage depends on: a driver
 * thread wants them run, and they may wait, which it must not.
 */
final class CallerThread {
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

  /** Has it run by the thread in {@link #lend}. */
  <T> CompletionStage<T> run(Supplier<T> function) {
    CompletableFuture<T> result = new CompletableFuture<>();
    tasks.add(
        () -> {
          try {
            result.complete(function.get());
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** Runs what comes until the stage is done, and returns what it is done with. */
  <T> T lend(String what, CompletionStage<T> stage) {
    CompletableFuture<T> done = stage.toCompletableFuture();
    // Something to take, so that a thread that waits for tasks looks again.
    stage.whenComplete((value, failure) -> tasks.add(() -> {}));
    try {
      while (!done.isDone()) {
        tasks.take().run();
      }
    } catch (InterruptedException e) {
      // Waiting says so, in its own words.
      Thread.currentThread().interrupt();
    }
    return Waiting.get(what, done);
  }
}
