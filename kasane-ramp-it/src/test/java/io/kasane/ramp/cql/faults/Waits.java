/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.ramp.protocol.RampException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for what has a deadline of its own. */
final class Waits {
  private static final int MAX_SECONDS = 60;

  private Waits() {}

  /**
   * What the stage gives.
   *
   * @throws RampException as the stage fails
   * @throws IllegalStateException if it fails otherwise, or hangs
   */
  static <T> T until(String what, Supplier<CompletionStage<T>> stage) {
    try {
      return stage.get().toCompletableFuture().get(MAX_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RampException failure) {
        throw failure;
      }
      throw new IllegalStateException(what + " failed with what is none of its kinds", e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(what + " hangs for " + MAX_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * What it gives once it does: a process begins whenever it is told to, also while a node starts
   * and others are busy.
   */
  static <T> T begun(Supplier<T> work) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    while (true) {
      try {
        return work.get();
      } catch (DriverException | CompletionException e) {
        boolean ofDriver = e instanceof DriverException || e.getCause() instanceof DriverException;
        if (!ofDriver || System.nanoTime() - end > 0) {
          throw e;
        }
        System.out.println("not begun yet: " + e);
      }
    }
  }
}
