/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Runs things at their time, a few at once, until it is closed. Thread-safe. */
final class Scheduler implements AutoCloseable {
  private static final int MAX_RUNNING = 64;

  private final Environment environment;
  private final Queue<Task> waiting =
      new PriorityQueue<>(
          Comparator.<Task>comparingLong(task -> task.dueNanos).thenComparingLong(t -> t.number));
  private final long beginNanos;
  private long numbers;
  private int running;
  private long armedForNanos = Long.MAX_VALUE;
  private boolean closed;

  Scheduler(Environment environment) {
    this.environment = environment;
    this.beginNanos = environment.monotonicNanos();
  }

  /** Nanoseconds since this was made. */
  long now() {
    return environment.monotonicNanos() - beginNanos;
  }

  /** Runs the task once {@link #now} has come to {@code dueNanos}. */
  void at(long dueNanos, Supplier<CompletionStage<Void>> task) {
    synchronized (waiting) {
      if (closed) {
        return;
      }
      waiting.add(new Task(dueNanos, numbers++, task));
    }
    arm();
  }

  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.clear();
    }
  }

  private void arm() {
    long dueNanos;
    long delay;
    synchronized (waiting) {
      Task first = waiting.peek();
      if (first == null || running >= MAX_RUNNING || first.dueNanos >= armedForNanos) {
        return;
      }
      dueNanos = first.dueNanos;
      armedForNanos = dueNanos;
      delay = Math.max(0, dueNanos - now());
    }
    environment.after(Duration.ofNanos(delay), () -> ring(dueNanos));
  }

  private void ring(long dueNanos) {
    synchronized (waiting) {
      if (armedForNanos != dueNanos) {
        return;
      }
      armedForNanos = Long.MAX_VALUE;
    }
    runDue();
  }

  private void runDue() {
    List<Task> due = new ArrayList<>();
    synchronized (waiting) {
      long now = now();
      while (running < MAX_RUNNING && !waiting.isEmpty() && waiting.peek().dueNanos <= now) {
        due.add(waiting.remove());
        running++;
      }
    }
    due.forEach(
        task ->
            Futures.begin(task.work)
                .whenComplete(
                    (result, failure) -> {
                      synchronized (waiting) {
                        running--;
                      }
                      arm();
                    }));
    arm();
  }

  private record Task(long dueNanos, long number, Supplier<CompletionStage<Void>> work) {}
}
