/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of the one connection that changes go over. Readers take it to settle a change that had
 * no answer. Thread-safe.
 */
public final class ChangeLock {
  private final Object server;
  private final Duration maxRead;
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * A lock that nobody holds.
   *
   * @param server whose name errors begin with
   * @param maxRead for how long a reader waits
   */
  public ChangeLock(Object server, Duration maxRead) {
    this.server = server;
    this.maxRead = maxRead;
  }

  /** Waits until no other thread changes or settles anything. */
  public void lock() {
    lock.lock();
  }

  /**
   * Waits for a reader's time at most: in a server that hangs each reader would else wait for all
   * before it.
   *
   * @throws EngineException {@link Kind#UNREACHABLE} if it took longer
   */
  public void lockForRead() {
    try {
      if (lock.tryLock(maxRead.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, server + ": interrupted", e);
    }
    throw new EngineException(
        Kind.UNREACHABLE,
        server
            + ": a change had no answer, and nobody could settle it in "
            + maxRead.toMillis()
            + " ms");
  }

  /** Gives it to the next. */
  public void unlock() {
    lock.unlock();
  }
}
