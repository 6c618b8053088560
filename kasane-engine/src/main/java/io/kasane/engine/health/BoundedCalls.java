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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Calls of an engine on threads of their own, no more than the gate lets in, for callers that wait
 * no longer than a deadline. A caller may hold what others wait for: Cassandra frees no memory of
 * memtables before the reads that began earlier have ended. Thread-safe.
 */
public final class BoundedCalls {
  private final ReadGate gate;
  private final Executor threads;
  private final Duration most;

  /**
   * Calls.
   *
   * @param threads as many as are asked for; what hangs keeps one
   * @param most how long a caller waits
   */
  public BoundedCalls(ReadGate gate, Executor threads, Duration most) {
    this.gate = gate;
    this.threads = threads;
    this.most = most;
  }

  /**
   * Calls.
   *
   * @param call what may hang
   * @param unwanted gets the result if nobody waits for it any more
   * @throws EngineException if the engine is out, the deadline is over, or the call throws it
   */
  public <T> T call(Supplier<T> call, Consumer<T> unwanted) {
    ReadGate.Pass pass = gate.enter();
    CompletableFuture<T> answer = new CompletableFuture<>();
    try {
      threads.execute(() -> run(call, unwanted, pass, answer));
    } catch (RuntimeException | Error e) {
      pass.close();
      throw e;
    }
    try {
      return answer.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw left(answer, unwanted, "a read has taken " + most.toMillis() + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw left(answer, unwanted, "interrupted while reading", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  private static <T> void run(
      Supplier<T> call, Consumer<T> unwanted, ReadGate.Pass pass, CompletableFuture<T> answer) {
    try (pass) {
      T result = call.get();
      if (!answer.complete(result)) {
        unwanted.accept(result);
      }
    } catch (RuntimeException | Error e) {
      answer.completeExceptionally(e);
    }
  }

  private static <T> EngineException left(
      CompletableFuture<T> answer, Consumer<T> unwanted, String why, Exception cause) {
    EngineException left = new EngineException(Kind.FAILED, why, cause);
    if (!answer.completeExceptionally(left) && !answer.isCompletedExceptionally()) {
      unwanted.accept(answer.join()); // it came just now
    }
    return left;
  }

  /** Calls without waiting, for what only lets go of something. */
  public void later(Runnable call) {
    threads.execute(call);
  }
}
