/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Lets so many threads read from an engine at a time, and none while it is out. A read that hangs
 * keeps its thread, but no more threads than that: those of other tables' reads are left. Reads run
 * on the caller's thread, since to hand one over costs as much as a short read.
 *
 * <p>Thread-safe. A pass must be returned, by any thread.
 */
public final class ReadGate {
  private final Breaker breaker;
  private final long mostNanos;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition returned = lock.newCondition();

  /** When the read in each place began. */
  private final long[] beganNanos;

  private final boolean[] taken;

  /** Which of them were said to hang. */
  private final boolean[] reported;

  private int free;

  /** The right to read, for one read. */
  public final class Pass implements AutoCloseable {
    private final int place;
    private boolean returnedOnce;

    private Pass(int place) {
      this.place = place;
    }

    /** Returns the pass; does nothing the second time. */
    @Override
    public void close() {
      lock.lock();
      try {
        if (!returnedOnce) {
          returnedOnce = true;
          taken[place] = false;
          free++;
          returned.signal();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * A gate.
   *
   * @param places how many threads may read at a time
   * @param most how long one read may take before the engine counts as out
   * @param nanoClock as {@link System#nanoTime}
   */
  public ReadGate(Breaker breaker, int places, Duration most, LongSupplier nanoClock) {
    if (places < 1) {
      throw new IllegalArgumentException(places + " threads may read; at least one must");
    }
    this.breaker = breaker;
    this.mostNanos = most.toNanos();
    this.nanoClock = nanoClock;
    this.beganNanos = new long[places];
    this.taken = new boolean[places];
    this.reported = new boolean[places];
    this.free = places;
  }

  /**
   * Waits for a place, no longer than a read may take.
   *
   * @throws EngineException if the engine is out, or no place was returned in time
   */
  public Pass enter() {
    lock.lock();
    try {
      long left = mostNanos;
      while (true) {
        Breaker.State state = breaker.state();
        if (!state.isClosed()) {
          throw EngineException.out("the engine is out: " + state.reason());
        }
        if (free > 0) {
          return take();
        }
        if (left <= 0) {
          throw new EngineException(
              Kind.FAILED,
              "all " + taken.length + " threads that may read from the engine are at it");
        }
        left = returned.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, "interrupted while waiting to read", e);
    } finally {
      lock.unlock();
    }
  }

  private Pass take() {
    int place = 0;
    while (taken[place]) {
      place++;
    }
    taken[place] = true;
    reported[place] = false;
    beganNanos[place] = nanoClock.getAsLong();
    free--;
    return new Pass(place);
  }

  /**
   * Looks for a read that hangs, which opens the breaker: once, since an engine that works again
   * may never give it back. To be called about once a second.
   */
  public void look() {
    lock.lock();
    try {
      long now = nanoClock.getAsLong();
      for (int place = 0; place < taken.length; place++) {
        if (taken[place] && !reported[place] && now - beganNanos[place] > mostNanos) {
          reported[place] = true;
          long seconds = TimeUnit.NANOSECONDS.toSeconds(now - beganNanos[place]);
          breaker.failed("a read has taken " + seconds + " s");
          returned.signalAll(); // who waits need not wait on
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many threads read now. */
  public int readers() {
    lock.lock();
    try {
      return taken.length - free;
    } finally {
      lock.unlock();
    }
  }
}
