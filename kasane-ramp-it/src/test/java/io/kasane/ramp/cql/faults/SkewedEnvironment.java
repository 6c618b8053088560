/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.faults;

import io.kasane.ramp.protocol.Environment;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A machine whose wall clock is wrong by a fixed time. Thread-safe. */
final class SkewedEnvironment implements Environment, AutoCloseable {
  private static final Logger LOGGER = System.getLogger(SkewedEnvironment.class.getName());

  private final Duration skew;
  private final SecureRandom random = new SecureRandom();
  private final Set<Long> drawn = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor scheduler =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "skewed-environment");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Tells the time like that.
   *
   * @param skew how far its clock is ahead of the machine's; negative for behind
   */
  SkewedEnvironment(Duration skew) {
    this.skew = skew;
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
    long number = random.nextLong();
    drawn.add(number);
    return number;
  }

  /** Whether that is the number of a client of this environment. */
  boolean drew(long client) {
    return drawn.contains(client);
  }

  @Override
  public void after(Duration delay, Runnable task) {
    try {
      Future<?> unused = scheduler.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: nothing is due any more.
      return;
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

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
