/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Stages for users: they fail with what happened, never with the {@link CompletionException} that
 * carried it. For classes over the session, such as those of {@link io.kasane.ramp.cql.use}, whose
 * own stages are to fail as the session's do. Thread-safe.
 */
public final class Stages {
  private Stages() {}

  /** What a function makes of a stage's value; it runs where that stage completes. */
  public static <A, B> CompletionStage<B> map(CompletionStage<A> stage, Function<A, B> function) {
    return bare(stage.thenApply(function));
  }

  /** The same stage, but for the wrapping of its failure. */
  public static <T> CompletionStage<T> bare(CompletionStage<T> stage) {
    CompletableFuture<T> result = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            result.complete(value);
          } else {
            result.completeExceptionally(cause(failure));
          }
        });
    return result;
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
