/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.node;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Waits for a lock, but only for a limited time. */
final class TimedLock {
  private TimedLock() {}

  /**
   * Takes it.
   *
   * @param otherwise what is going on, if it is not free within {@code most}
   * @throws EngineException if it is not
   */
  static void lock(Lock lock, Duration most, String otherwise) {
    try {
      if (!lock.tryLock(most.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new EngineException(
            Kind.FAILED, otherwise + " after " + most.toSeconds() + " s; try again when that ends");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, "interrupted while waiting: " + otherwise, e);
    }
  }
}
