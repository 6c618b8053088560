/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Keeps calls out of an engine that was closed, and lets it be closed only when nobody reads from
 * it: engines of native code would end the process otherwise. Thread-safe.
 */
public final class CloseGuard {
  private final String engine;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final AtomicInteger snapshots = new AtomicInteger();
  private boolean closed;

  /** Who comes while it is being closed must not wait for those whom the closing waits for. */
  private volatile boolean closing;

  /**
   * An open engine.
   *
   * @param engine what errors call it
   */
  public CloseGuard(String engine) {
    this.engine = engine;
  }

  /** Makes a call, during which the engine stays open. */
  public <T> T call(Supplier<T> call) {
    if (closing) {
      throw isClosed();
    }
    lock.readLock().lock();
    try {
      if (closed) {
        throw isClosed();
      }
      return call.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  private EngineException isClosed() {
    return new EngineException(EngineException.Kind.CLOSED, engine + " is closed");
  }

  /** The same without a result. */
  public void run(Runnable call) {
    call(
        () -> {
          call.run();
          return null;
        });
  }

  /** Opens a snapshot: the engine stays open until {@link #released} was called as often. */
  public <T> T retained(Supplier<T> open) {
    return call(
        () -> {
          T snapshot = open.get();
          snapshots.incrementAndGet();
          return snapshot;
        });
  }

  /** A snapshot was closed. */
  public void released() {
    snapshots.decrementAndGet();
  }

  /**
   * Closes the engine after all calls have returned; does nothing if it is closed.
   *
   * @throws IllegalStateException if snapshots are open; then it stays open
   */
  public void close(Runnable close) {
    closing = true;
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      if (snapshots.get() > 0) {
        closing = false;
        throw new IllegalStateException(
            engine + " has " + snapshots.get() + " open snapshots: close them first");
      }
      closed = true;
      close.run();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
