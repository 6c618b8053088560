/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step over all tables, again and again. Whatever the step throws for one table, errors of the
 * virtual machine included, the other tables get their turn and the next round comes.
 *
 * @param <T> a table
 */
final class PeriodicWorker<T> {
  private static final Logger logger = LoggerFactory.getLogger(PeriodicWorker.class);

  private final Supplier<Collection<T>> tables;
  private final Consumer<T> step;
  private final String whatFails;
  private final LongSupplier nanoClock;
  private volatile long endedNanos;

  /**
   * No round has begun.
   *
   * @param tables all of them, asked at each round
   * @param whatFails for the log, with a place for the table
   * @param nanoClock as {@link System#nanoTime}
   */
  PeriodicWorker(
      Supplier<Collection<T>> tables, Consumer<T> step, String whatFails, LongSupplier nanoClock) {
    this.tables = tables;
    this.step = step;
    this.whatFails = whatFails;
    this.nanoClock = nanoClock;
    this.endedNanos = nanoClock.getAsLong();
  }

  /**
   * Begins rounds on a thread of their own, which ends with the process.
   *
   * @param restNanos how long to rest after a round that took so many nanoseconds; 0 before the
   *     first
   */
  void startForEver(String threadName, LongUnaryOperator restNanos) {
    Thread thread = new Thread(() -> runForEver(restNanos), threadName);
    thread.setDaemon(true);
    thread.start();
  }

  private void runForEver(LongUnaryOperator restNanos) {
    long tookNanos = 0;
    while (true) {
      LockSupport.parkNanos(restNanos.applyAsLong(tookNanos));
      var unused = Thread.interrupted(); // a step may have left it, and parking would be over
      long began = nanoClock.getAsLong();
      try {
        run();
      } catch (Throwable e) {
        survive("all tables", e);
      }
      tookNanos = nanoClock.getAsLong() - began;
    }
  }

  /** One round. */
  void run() {
    for (T table : List.copyOf(tables.get())) {
      try {
        step.accept(table);
      } catch (Throwable e) {
        survive(table, e);
      }
    }
    endedNanos = nanoClock.getAsLong();
  }

  /** To judge or to log what was thrown may throw, too: where classes are gone, or memory is. */
  private void survive(Object table, Throwable thrown) {
    try {
      JVMStabilityInspector.inspectThrowable(thrown);
    } catch (Throwable e) {
      thrown.addSuppressed(e);
    }
    try {
      logger.warn(whatFails, table, thrown);
    } catch (Throwable e) {
      thrown.addSuppressed(e);
    }
  }

  /** Milliseconds since the last round ended; since this was made if none has. Any thread. */
  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - endedNanos);
  }
}
