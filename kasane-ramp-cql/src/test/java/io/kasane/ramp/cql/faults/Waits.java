/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.ramp.protocol.RampException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for what has a deadline of its own. */
final class Waits {
  private static final int MOST_SECONDS = 60;

  private Waits() {}

  /**
   * What the stage gives.
   *
   * @throws RampException as the stage fails
   * @throws IllegalStateException if it fails otherwise, or hangs
   */
  static <T> T until(String what, Supplier<CompletionStage<T>> stage) {
    try {
      return stage.get().toCompletableFuture().get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RampException failure) {
        throw failure;
      }
      throw new IllegalStateException(what + " failed with what is none of its kinds", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(what + " hangs for " + MOST_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
