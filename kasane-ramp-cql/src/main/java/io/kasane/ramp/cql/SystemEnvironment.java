/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.Environment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's clocks and chance, and one daemon thread for what is due later. Thread-safe. */
final class SystemEnvironment implements Environment, AutoCloseable {
  private static final Logger LOGGER = System.getLogger(SystemEnvironment.class.getName());

  private final SecureRandom random = new SecureRandom();
  private final Duration skew;
  private final ScheduledThreadPoolExecutor scheduler;

  /**
   * An environment.
   *
   * @param skew how far its wall clock is ahead of the machine's
   */
  SystemEnvironment(String name, Duration skew) {
    this.skew = skew;
    this.scheduler = new ScheduledThreadPoolExecutor(1, task -> new Scheduler(task, name));
    scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    scheduler.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long wallMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(skew));
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    try {
      Future<?> unused = scheduler.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: what is due later is done by whoever writes the key next, or never.
      LOGGER.log(Level.DEBUG, "after the session was closed", e);
    }
  }

  @Override
  public void warn(String message) {
    LOGGER.log(Level.WARNING, message);
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOGGER.log(Level.WARNING, "A task of the transaction library failed", e);
    }
  }

  /** Whether the current thread is that of an environment: it must wait for nothing. */
  static boolean isOnScheduler() {
    return Thread.currentThread() instanceof Scheduler;
  }

  /** What is due later is not done any more. */
  @Override
  public void close() {
    scheduler.shutdownNow();
  }

  private static final class Scheduler extends Thread {
    Scheduler(Runnable task, String name) {
      super(task, "kasane-ramp-" + name);
      setDaemon(true);
    }
  }
}
