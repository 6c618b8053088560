/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.internal.core.util.concurrent.BlockingOperation;
import io.kasane.ramp.protocol.RampException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Waits for a stage, on threads that may wait. */
final class Waiting {
  private Waiting() {}

  /** Refuses threads that bring the answers: they would wait for themselves. */
  static void requireMayWait(String what) {
    if (SystemEnvironment.isOnScheduler()) {
      throw refused(what, "the library's", null);
    }
    try {
      BlockingOperation.checkNotDriverThread();
    } catch (IllegalStateException e) {
      throw refused(what, "the driver's", e);
    }
  }

  private static IllegalStateException refused(String what, String whose, Exception cause) {
    return new IllegalStateException(
        what
            + " waits for Cassandra and was called on "
            + whose
            + " thread "
            + Thread.currentThread().getName()
            + ", which brings the answer: it would wait forever. Use the methods that end in Async"
            + " there, or go on in a thread of your own, with thenApplyAsync or the like.",
        cause);
  }

  static <T> T get(String what, CompletionStage<T> stage) {
    return get(
        what,
        stage,
        e ->
            new RampException(
                what
                    + " was interrupted: what it began goes on, and may or may not have succeeded;"
                    + " read to learn it",
                e));
  }

  /**
   * As the other one.
   *
   * @param interrupted what to throw if the thread is interrupted meanwhile
   */
  static <T> T get(
      String what,
      CompletionStage<T> stage,
      Function<InterruptedException, ? extends RampException> interrupted) {
    requireMayWait(what);
    try {
      return stage.toCompletableFuture().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw interrupted.apply(e);
    } catch (ExecutionException e) {
      throw unwrapped(what, e.getCause());
    }
  }

  /** Users catch the kinds of {@link RampException}, not what carried them here. */
  static RuntimeException unwrapped(String what, Throwable failure) {
    if (failure instanceof RuntimeException known && !(failure instanceof DriverException)) {
      return known;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new RampException(what + " failed: " + failure.getMessage(), failure);
  }
}
