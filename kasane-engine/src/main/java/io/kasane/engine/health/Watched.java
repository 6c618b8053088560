/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Runs work that may hang in an engine on another thread. The caller waits as long as the work
 * makes progress. Thread-safe.
 */
public final class Watched {
  /** How often it is looked at in the time that it may stand still. */
  private static final int LOOKS = 8;

  private final AtomicLong steps = new AtomicLong();
  private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);

  private enum State {
    RUNNING,
    /** It has done with the engine, and is waited for until it ends. */
    FINISHING,
    CANCELLED
  }

  private Watched() {}

  /**
   * Runs it elsewhere, and waits.
   *
   * @param what it is, for the error
   * @param patience how long it may stand still
   * @param work gets this, to ask at each step
   * @throws EngineException if it failed, or stood still; then it may go on until its next step
   */
  public static void run(Executor threads, String what, Duration patience, Consumer<Watched> work) {
    Watched watched = new Watched();
    CompletableFuture<Void> done = CompletableFuture.runAsync(() -> work.accept(watched), threads);
    watched.waitFor(done, what, patience);
  }

  /** A step was done: whether to stop now, since nobody waits any more. */
  public boolean isCancelled() {
    steps.incrementAndGet();
    return state.get() == State.CANCELLED;
  }

  /** All steps were done. Once it may finish, it is waited for: what is left must not hang. */
  public boolean mayFinish() {
    return state.compareAndSet(State.RUNNING, State.FINISHING);
  }

  private boolean cancel() {
    return state.compareAndSet(State.RUNNING, State.CANCELLED);
  }

  private void waitFor(CompletableFuture<Void> done, String what, Duration patience) {
    boolean isInterrupted = false;
    long seen = steps.get();
    long seenNanos = System.nanoTime();
    try {
      while (true) {
        try {
          done.get(patience.toNanos() / LOOKS, TimeUnit.NANOSECONDS);
          return;
        } catch (TimeoutException e) {
          if (steps.get() != seen) {
            seen = steps.get();
            seenNanos = System.nanoTime();
          } else if (System.nanoTime() - seenNanos >= patience.toNanos() && cancel()) {
            throw new EngineException(
                Kind.FAILED, what + " stood still for " + patience.toMillis() + " ms");
          }
        } catch (InterruptedException e) {
          isInterrupted = true;
          if (cancel()) {
            throw new EngineException(Kind.FAILED, what + " was interrupted", e);
          }
        }
      }
    } catch (ExecutionException e) {
      Kind kind = e.getCause() instanceof EngineException failure ? failure.kind() : Kind.FAILED;
      throw new EngineException(kind, what + " failed: " + e.getCause().getMessage(), e);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
