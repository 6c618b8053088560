/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Work that may hang in an engine, for who must not: waited for as long as it goes on. */
final class Watched {
  private final AtomicLong steps = new AtomicLong();
  private volatile boolean isCancelled;

  private Watched() {}

  /**
   * Runs it elsewhere, and waits.
   *
   * @param what it is, for the error
   * @param patience how long it may stand still
   * @param work gets what it is to ask at each step: whether to stop, since nobody waits any more
   * @throws EngineException if it failed, or stood still; then it may go on until its next step
   */
  static void run(
      Executor threads, String what, Duration patience, Consumer<BooleanSupplier> work) {
    Watched watched = new Watched();
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(() -> work.accept(watched::step), threads);
    watched.waitFor(done, what, patience);
  }

  private boolean step() {
    steps.incrementAndGet();
    return isCancelled;
  }

  private void waitFor(CompletableFuture<Void> done, String what, Duration patience) {
    try {
      while (true) {
        long before = steps.get();
        try {
          done.get(patience.toMillis(), TimeUnit.MILLISECONDS);
          return;
        } catch (TimeoutException e) {
          if (steps.get() == before) {
            throw new EngineException(
                Kind.FAILED, what + " stood still for " + patience.toSeconds() + " s", e);
          }
        }
      }
    } catch (ExecutionException e) {
      throw new EngineException(Kind.FAILED, what + " failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, what + " was interrupted", e);
    } finally {
      isCancelled = true;
    }
  }
}
