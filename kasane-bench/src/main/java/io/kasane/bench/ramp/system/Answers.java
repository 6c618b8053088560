/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for answers that were asked for at once. */
final class Answers {
  private Answers() {}

  /**
   * Waits for one.
   *
   * @throws TransactionFailedException if it failed
   */
  static <T> T of(CompletionStage<T> answer) {
    try {
      return answer.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new TransactionFailedException(e.getCause());
    }
  }

  /**
   * Waits for all, also where one fails: what is on its way must not outlive its transaction.
   *
   * @throws TransactionFailedException if any failed
   */
  static <T> List<T> of(List<? extends CompletionStage<T>> answers) {
    List<T> all = new ArrayList<>(answers.size());
    TransactionFailedException failure = null;
    for (CompletionStage<T> answer : answers) {
      try {
        all.add(of(answer));
      } catch (TransactionFailedException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return all;
  }
}
