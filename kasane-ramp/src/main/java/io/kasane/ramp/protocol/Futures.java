/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Stages, and what they fail with. */
final class Futures {
  private Futures() {}

  /** What is thrown on the way to a stage fails the stage. */
  static <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The same, but for whoever completes or cancels it. */
  static <T> CompletionStage<T> view(CompletionStage<T> stage) {
    CompletableFuture<T> view = new CompletableFuture<>();
    stage.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            view.complete(value);
          } else {
            view.completeExceptionally(failure);
          }
        });
    return view;
  }

  /** The failure that users see. */
  static Throwable forUsers(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof StoreException
        ? new UnavailableException("the store could not answer: " + cause.getMessage(), cause)
        : cause;
  }

  /** The failure itself, out of what stages wrap it in. */
  static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
