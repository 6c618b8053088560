/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.health;

import io.kasane.engine.spi.EngineException;
import io.kasane.engine.spi.EngineException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Limits how many threads read from an engine at a time; none may while it is unavailable. Reads
 * that hang can block that many threads and no more, so that other tables can still be read. Reads
 * run on the caller's thread, since to hand one over costs as much as a short read.
 *
 * <p>A thread takes a place with its first pass, and gives it back with its last one. What it asks
 * for in between, of any gate, it gets at once: who kept a place while it waits for another one
 * would wait for others that do the same.
 *
 * <p>A read may take as long as it likes, and so may its consumer. It hangs when one call into the
 * engine does not return.
 *
 * <p>Thread-safe. A pass must be returned, by any thread.
 */
public final class ReadBulkhead {
  /** One for all gates: a thread's passes may be of several. */
  private static final ReentrantLock LOCK = new ReentrantLock();

  private static final ThreadLocal<Reader> READER = ThreadLocal.withInitial(Reader::new);

  private final CircuitBreaker breaker;
  private final int places;
  private final long longestCallNanos;
  private final long longestWaitNanos;
  private final LongSupplier nanoClock;
  private final Condition returned = LOCK.newCondition();
  private final List<Pass> open = new ArrayList<>();

  /** Below zero when threads have left more reads that hang than there are places. */
  private int free;

  /** What one thread has. */
  private static final class Reader {
    private int passes;

    /** The gate whose place it has; null without passes. */
    private ReadBulkhead placeOf;
  }

  /**
   * The right to read, for one read. Who reads says when a call into the engine begins and ends;
   * only one is made at a time.
   */
  public final class Pass implements AutoCloseable {
    private static final AtomicIntegerFieldUpdater<Pass> CALLS =
        AtomicIntegerFieldUpdater.newUpdater(Pass.class, "calls");

    private Reader reader;
    private int index;
    private boolean isReturned;

    /** Begun and ended: odd while the engine is called. */
    private volatile int calls;

    /** What {@link #look} saw last, and when it saw it first. */
    private int seenCalls;

    private long seenNanos;
    private boolean isReported;

    private Pass(Reader reader, int index) {
      this.reader = reader;
      this.index = index;
    }

    /** A call into the engine begins. */
    public void callBegins() {
      countCall();
    }

    /** The call has returned, or failed. */
    public void callEnded() {
      countCall();
    }

    /** Makes a call into the engine. */
    public <T> T call(Supplier<T> call) {
      callBegins();
      try {
        return call.get();
      } catch (EngineException e) {
        failed(e);
        throw e;
      } finally {
        callEnded();
      }
    }

    /** Ordered, and no more: it comes with each row. */
    private void countCall() {
      CALLS.lazySet(this, calls + 1);
    }

    /** A call has failed: what cannot be reached nobody else need try, what failed is probed. */
    public void failed(EngineException e) {
      if (e.kind() == Kind.FAILED) {
        breaker.suspected();
      }
      if (e.kind() == Kind.UNREACHABLE) {
        LOCK.lock();
        try {
          breaker.failed(e.getMessage());
          returned.signalAll();
        } finally {
          LOCK.unlock();
        }
      }
    }

    private boolean isCalling() {
      return seenCalls % 2 != 0;
    }

    private void look(long now) {
      int current = calls;
      if (current != seenCalls) {
        seenCalls = current;
        seenNanos = now;
        isReported = false;
      }
      if (isCalling() && !isReported && now - seenNanos > longestCallNanos) {
        isReported = true;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(now - seenNanos);
        breaker.failed("a read has hung for " + seconds + " s");
        returned.signalAll(); // who waits need not wait on
      }
    }

    /**
     * The thread that took it waits for the read no longer: it has a place of its own from now on,
     * be one free or not. Does nothing once it was returned.
     */
    public void detach() {
      LOCK.lock();
      try {
        if (!isReturned) {
          leave(reader);
          reader = new Reader();
          takePlace(reader);
          reader.passes++;
        }
      } finally {
        LOCK.unlock();
      }
    }

    /** Returns the pass; does nothing the second time. */
    @Override
    public void close() {
      LOCK.lock();
      try {
        if (!isReturned) {
          isReturned = true;
          remove(this);
          leave(reader);
        }
      } finally {
        LOCK.unlock();
      }
    }
  }

  /**
   * A gate.
   *
   * @param places how many threads may read at a time
   * @param longestCall how long one call may take before the engine counts as out
   * @param longestWait how long to wait for a place
   * @param nanoClock as {@link System#nanoTime}
   */
  public ReadBulkhead(
      CircuitBreaker breaker,
      int places,
      Duration longestCall,
      Duration longestWait,
      LongSupplier nanoClock) {
    if (places < 1) {
      throw new IllegalArgumentException(places + " threads may read; at least one must");
    }
    this.breaker = breaker;
    this.places = places;
    this.longestCallNanos = longestCall.toNanos();
    this.longestWaitNanos = longestWait.toNanos();
    this.nanoClock = nanoClock;
    this.free = places;
  }

  /**
   * Lets the current thread read. Waits for a place if it has no pass yet.
   *
   * @throws EngineException if the engine is out, or no place was returned in time
   */
  public Pass enter() {
    Reader reader = READER.get();
    LOCK.lock();
    try {
      requireNotOut();
      if (reader.passes == 0) {
        awaitPlace();
        takePlace(reader);
      }
      reader.passes++;
      Pass pass = new Pass(reader, open.size());
      open.add(pass);
      return pass;
    } finally {
      LOCK.unlock();
    }
  }

  private void takePlace(Reader reader) {
    free--;
    reader.placeOf = this;
  }

  private void requireNotOut() {
    if (!breaker.isClosed()) {
      throw EngineException.out("the engine is out: " + breaker.state().reason());
    }
  }

  private void awaitPlace() {
    try {
      long left = longestWaitNanos;
      while (free <= 0) {
        if (left <= 0) {
          throw new EngineException(
              Kind.FAILED, "all " + places + " threads that may read from the engine are at it");
        }
        left = returned.awaitNanos(left);
        requireNotOut();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException(Kind.FAILED, "interrupted while waiting to read", e);
    }
  }

  private void remove(Pass pass) {
    Pass last = open.remove(open.size() - 1);
    if (last != pass) {
      open.set(pass.index, last);
      last.index = pass.index;
    }
  }

  private static void leave(Reader reader) {
    reader.passes--;
    if (reader.passes == 0) {
      reader.placeOf.free++;
      reader.placeOf.returned.signal();
      reader.placeOf = null;
    }
  }

  /**
   * Looks for a call that hangs, which opens the breaker: once, since an engine that works again
   * may never give it back. To be called about once a second.
   */
  public void look() {
    LOCK.lock();
    try {
      long now = nanoClock.getAsLong();
      for (Pass pass : open) {
        pass.look(now);
      }
    } finally {
      LOCK.unlock();
    }
  }

  /** Whether a call has not returned for longer than it may, as last looked for. */
  public boolean hangs() {
    LOCK.lock();
    try {
      return open.stream().anyMatch(pass -> pass.isReported);
    } finally {
      LOCK.unlock();
    }
  }

  /** Returns how many places are taken. */
  public int readers() {
    LOCK.lock();
    try {
      return places - free;
    } finally {
      LOCK.unlock();
    }
  }
}
