/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.Arrays;

/** Runs tasks in the order of their virtual time, then of their coming. Single-threaded. */
final class EventLoop {
  private long[] times = new long[256];
  private long[] numbers = new long[256];
  private Runnable[] tasks = new Runnable[256];
  private int size;
  private long nowMicros;
  private long added;
  private long done;

  /** Microseconds since the beginning of the schedule. */
  long nowMicros() {
    return nowMicros;
  }

  /** How many tasks ran. */
  long done() {
    return done;
  }

  void after(long delayMicros, Runnable task) {
    if (size == tasks.length) {
      times = Arrays.copyOf(times, size * 2);
      numbers = Arrays.copyOf(numbers, size * 2);
      tasks = Arrays.copyOf(tasks, size * 2);
    }
    long time = nowMicros + Math.max(0, delayMicros);
    long number = added++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isBefore(time, number, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    set(at, time, number, task);
  }

  /** Runs what is due until then; later tasks stay. */
  void runUntil(long untilMicros) {
    while (size > 0 && times[0] <= untilMicros) {
      runNext();
    }
    nowMicros = Math.max(nowMicros, untilMicros);
  }

  /** Whether there was a task to run. */
  boolean runNext() {
    if (size == 0) {
      return false;
    }
    nowMicros = times[0];
    Runnable task = tasks[0];
    removeFirst();
    done++;
    task.run();
    return true;
  }

  /** The time of the next task, {@link Long#MAX_VALUE} where there is none. */
  long nextMicros() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  private void removeFirst() {
    int last = --size;
    long time = times[last];
    long number = numbers[last];
    Runnable task = tasks[last];
    tasks[last] = null;
    if (last == 0) {
      return;
    }
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= last) {
        break;
      }
      if (child + 1 < last && isBefore(times[child + 1], numbers[child + 1], child)) {
        child++;
      }
      if (isBefore(time, number, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    set(at, time, number, task);
  }

  private boolean isBefore(long time, long number, int other) {
    return time < times[other] || (time == times[other] && number < numbers[other]);
  }

  private void move(int from, int to) {
    set(to, times[from], numbers[from], tasks[from]);
  }

  private void set(int at, long time, long number, Runnable task) {
    times[at] = time;
    numbers[at] = number;
    tasks[at] = task;
  }
}
