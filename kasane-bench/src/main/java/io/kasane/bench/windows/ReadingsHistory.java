/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * The minutes before the load began, written as fast as goes, with the timestamps and what is left
 * of the lives that their rows would have had. The sensors and numbers are as the load writes them.
 */
final class ReadingsHistory {
  private static final int WRITERS = 16;

  private final Readings readings;
  private final WindowsScale scale;
  private final LongFunction<AtomicIntegerArray> newest;

  /** What follows each minute, as an SSTable of two of them would be of the later one. */
  interface AfterMinute {
    void run() throws IOException;
  }

  /**
   * A history.
   *
   * @param newest by minute, what is to hold the largest number of each sensor
   */
  ReadingsHistory(Readings readings, WindowsScale scale, LongFunction<AtomicIntegerArray> newest) {
    this.readings = readings;
    this.scale = scale;
    this.newest = newest;
  }

  /**
   * Writes it.
   *
   * @return the last number
   */
  int write(AfterMinute afterMinute, Consumer<String> progress)
      throws IOException, InterruptedException {
    int number = 0;
    long first = minute() - scale.liveMinutes() + 1;
    for (long minute = first; minute < minute(); minute++) { // those that pass meanwhile, too
      progress.accept("history, minute %d".formatted(minute - minute()));
      number = write(minute, number);
      afterMinute.run();
    }
    return number;
  }

  private static long minute() {
    return TimeUnit.MILLISECONDS.toMinutes(System.currentTimeMillis());
  }

  private int write(long minute, int before) throws InterruptedException {
    int rows = scale.rowsPerSecond() * WindowsScale.WINDOW_SECONDS;
    Queue<RuntimeException> problems = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int first = writer;
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = first; i < rows && problems.isEmpty(); i += WRITERS) {
                    write(minute, before + 1 + i, (double) i / rows);
                  }
                } catch (DriverException e) {
                  problems.add(e);
                }
              },
              "history-" + writer);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (!problems.isEmpty()) {
      throw problems.element();
    }
    return before + rows;
  }

  private void write(long minute, int number, double within) {
    long atMillis =
        TimeUnit.MINUTES.toMillis(minute)
            + (long) (within * TimeUnit.SECONDS.toMillis(WindowsScale.WINDOW_SECONDS));
    long livedSeconds = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis() - atMillis);
    int leftSeconds = (int) (scale.liveSeconds() - livedSeconds);
    if (leftSeconds > 0) {
      int sensor = number % scale.sensors();
      readings.insert(sensor, minute, number, atMillis, leftSeconds);
      newest.apply(minute).accumulateAndGet(sensor, number, Math::max);
    }
  }
}
