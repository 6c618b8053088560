/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for stages. */
final class Answers {
  private Answers() {}

  /** What a stage ends with; it fails with what the stage fails with. */
  static <T> T of(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    }
  }

  /** The failure, to be thrown by whoever waited. */
  static RuntimeException unwrapped(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException known
        ? known
        : new BackfillException("a backfill failed: " + failure.getMessage(), failure);
  }
}
