/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/** Time that goes on when a test says so. */
final class ManualEnvironment implements Environment {
  final List<String> warnings = new ArrayList<>();

  private static final long BEGIN_MICROS = 1_000_000_000_000_000L;

  private final Random random;
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::atNanos).thenComparing(Task::number));
  private long nanos = 17;
  private long number;
  private long skewMicros;

  ManualEnvironment(long seed) {
    random = new Random(seed);
  }

  @Override
  public long wallMicros() {
    return BEGIN_MICROS + nanos / 1000 + skewMicros;
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public void after(Duration delay, Runnable task) {
    tasks.add(new Task(nanos + delay.toNanos(), number++, task));
  }

  /** Sets the wall clock wrong. */
  void skew(Duration skew) {
    skewMicros = skew.toNanos() / 1000;
  }

  /** Lets time pass, and runs what is due on the way. */
  void pass(Duration duration) {
    long end = nanos + duration.toNanos();
    while (!tasks.isEmpty() && tasks.peek().atNanos <= end) {
      Task task = tasks.remove();
      nanos = Math.max(nanos, task.atNanos);
      task.task.run();
    }
    nanos = end;
  }

  int timers() {
    return tasks.size();
  }

  private record Task(long atNanos, long number, Runnable task) {}

  @Override
  public void warn(String message) {
    warnings.add(message);
  }
}
