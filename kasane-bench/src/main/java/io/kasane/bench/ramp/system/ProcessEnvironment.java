/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import io.kasane.ramp.protocol.Environment;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** This process's clocks and chance, and one thread for what is due later. Thread-safe. */
final class ProcessEnvironment implements Environment, AutoCloseable {
  private final ScheduledThreadPoolExecutor later;

  ProcessEnvironment() {
    later =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "ramp-later");
              thread.setDaemon(true);
              return thread;
            });
    later.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public long wallMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public long randomLong() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    if (!later.isShutdown()) {
      var unused = later.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void warn(String message) {
    System.err.println(message);
  }

  @Override
  public void close() {
    later.shutdownNow();
  }
}
