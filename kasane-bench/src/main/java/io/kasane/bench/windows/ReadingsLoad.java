/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.windows;

import com.datastax.oss.driver.api.core.DriverException;
import io.kasane.bench.load.KeyLaw;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Sensors that write at a steady rate, and readers that each read one partition after the other: 90
 * of 100 of the minute that is written, the others of minutes before. Which sensors are looked at
 * much follows Zipf's law, other ones for the old minutes.
 */
final class ReadingsLoad implements AutoCloseable {
  static final double NEWEST_SHARE = 0.9;

  private static final int WRITERS = 4;
  private static final int OTHER_SENSORS = 7_919; // a prime
  private static final int DIGITS = 3;

  private final Readings readings;
  private final WindowsScale scale;
  private final KeyLaw law;
  private final long seed;
  private long beganNanos;
  private int loaded;
  private final AtomicInteger written = new AtomicInteger();
  private final Map<Long, AtomicIntegerArray> newest = new ConcurrentHashMap<>();
  private final ConcurrentHistogram newestMicros = new ConcurrentHistogram(DIGITS);
  private final ConcurrentHistogram oldMicros = new ConcurrentHistogram(DIGITS);
  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicReference<String> firstProblem = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ends;

  ReadingsLoad(Readings readings, WindowsScale scale, KeyLaw law, long seed) {
    this.readings = readings;
    this.scale = scale;
    this.law = law;
    this.seed = seed;
  }

  /** Writes what was before the load. */
  void loadHistory(ReadingsHistory.AfterMinute afterMinute, Consumer<String> progress)
      throws IOException, InterruptedException {
    loaded = new ReadingsHistory(readings, scale, this::of).write(afterMinute, progress);
    written.set(loaded);
  }

  void begin() {
    beganNanos = System.nanoTime();
    for (int i = 0; i < WRITERS; i++) {
      start("writer-" + i, this::write);
    }
    for (int i = 0; i < scale.readers(); i++) {
      int reader = i;
      start("reader-" + i, () -> read(reader));
    }
  }

  private void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  private static long minute() {
    return TimeUnit.MILLISECONDS.toMinutes(System.currentTimeMillis());
  }

  private AtomicIntegerArray of(long minute) {
    return newest.computeIfAbsent(minute, m -> new AtomicIntegerArray(scale.sensors()));
  }

  private void write() {
    double nanosPerRow = (double) TimeUnit.SECONDS.toNanos(1) / scale.rowsPerSecond();
    while (!ends) {
      int number = written.incrementAndGet();
      long waitNanos = beganNanos + (long) ((number - loaded) * nanosPerRow) - System.nanoTime();
      if (waitNanos > 0) {
        LockSupport.parkNanos(waitNanos);
      }
      int sensor = number % scale.sensors();
      long minute = minute();
      try {
        readings.insert(sensor, minute, number);
        of(minute).accumulateAndGet(sensor, number, Math::max);
      } catch (DriverException e) {
        fails(e);
      }
    }
  }

  private void read(int reader) {
    SplittableRandom random = new SplittableRandom(seed + reader);
    while (!ends) {
      boolean isNew = random.nextDouble() < NEWEST_SHARE;
      int drawn = law.next(0);
      int sensor = isNew ? drawn : (int) ((drawn + (long) OTHER_SENSORS) % scale.sensors());
      long minute = isNew ? newestOf(sensor) : minute() - 1 - random.nextInt(oldMinutes());
      int atLeast = newest.containsKey(minute) ? of(minute).get(sensor) : 0;
      long began = System.nanoTime();
      try {
        String problem = readings.read(sensor, minute, atLeast);
        (isNew ? newestMicros : oldMicros)
            .recordValue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began));
        if (problem != null) {
          wrong.incrementAndGet();
          firstProblem.compareAndSet(null, problem);
        }
      } catch (DriverException e) {
        fails(e);
      }
    }
  }

  /** The oldest one expires while it is read. */
  private int oldMinutes() {
    return Math.max(1, Math.min(newest.size() - 1, scale.liveMinutes() - 3));
  }

  /** A sensor that has not yet written in this minute has in the one before. */
  private long newestOf(int sensor) {
    long minute = minute();
    return of(minute).get(sensor) > 0 ? minute : minute - 1;
  }

  private void fails(DriverException e) {
    failed.incrementAndGet();
    firstProblem.compareAndSet(null, e.toString());
  }

  int rowsWritten() {
    return written.get();
  }

  /**
   * Latencies since they were last taken, in microseconds: of the newest minute, and of old ones.
   */
  Histogram[] take() {
    Histogram[] taken = {newestMicros.copy(), oldMicros.copy()};
    newestMicros.reset();
    oldMicros.reset();
    return taken;
  }

  long wrong() {
    return wrong.get();
  }

  long failed() {
    return failed.get();
  }

  String firstProblem() {
    return firstProblem.get();
  }

  @Override
  public void close() throws InterruptedException {
    ends = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
