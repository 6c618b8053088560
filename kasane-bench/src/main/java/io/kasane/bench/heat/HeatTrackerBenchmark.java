/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Trace;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Time of one {@code record} call: accesses by exact zipf 0.99 over a million ids, drawn
 * beforehand. The empty loop shows what drawing an id costs, the map of {@code LongAdder}s what an
 * unbounded exact counter would. Each thread starts elsewhere in the same sequence. Command: see
 * docs/results/2026-11-21-heat.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms2g", "-Xmx2g"})
public class HeatTrackerBenchmark {
  private static final int KEYS = 1_000_000;
  private static final int DRAWS = 1 << 23;

  /** The sequence of ids, shared by all threads. */
  @State(Scope.Benchmark)
  public static class Ids {
    final long[] ids = new long[DRAWS];
    final AtomicInteger threads = new AtomicInteger();

    /** Draws it; ids are spread like Murmur3 tokens. */
    @Setup
    public void draw() {
      Trace trace = Trace.zipf(KEYS, 0.99, DRAWS, 42);
      for (int i = 0; i < DRAWS; i++) {
        ids[i] = trace.keyAt(i) * 0x9E3779B97F4A7C15L;
      }
    }
  }

  /** Where one thread is in the sequence. */
  @State(Scope.Thread)
  public static class Cursor {
    private long[] ids = new long[0];
    private int at;

    /** Starts each thread elsewhere. */
    @Setup
    public void start(Ids shared) {
      ids = shared.ids;
      at = shared.threads.getAndIncrement() * (DRAWS / 3);
    }

    long next() {
      return ids[at++ & (DRAWS - 1)];
    }
  }

  /** The tracker, large enough for every key or too small on purpose. */
  @State(Scope.Benchmark)
  public static class Tracked {
    /** Most keys tracked. */
    @Param({"1000000", "100000"})
    public int capacity;

    HeatTracker tracker =
        new HeatTracker(HeatTrackerOptions.defaults(), System::currentTimeMillis, 1);

    /** Fills it with the whole sequence, so that the steady state is measured. */
    @Setup
    public void fill(Ids shared) {
      tracker =
          new HeatTracker(
              HeatTrackerOptions.defaults().withCapacityKeys(capacity),
              System::currentTimeMillis,
              1);
      for (long id : shared.ids) {
        tracker.record(id);
      }
    }

    /** Shows what the figures rest on. */
    @TearDown
    public void print() {
      System.out.printf(
          "%n%,d accesses, %,d lost, %,d keys, %.1f bytes per key%n",
          tracker.totalAccesses(),
          tracker.lostAccesses(),
          tracker.trackedKeys(),
          tracker.memoryBytes() / (double) tracker.trackedKeys());
    }
  }

  /** The unbounded exact counter. */
  @State(Scope.Benchmark)
  public static class Mapped {
    final ConcurrentHashMap<Long, LongAdder> counts = new ConcurrentHashMap<>();

    /** Fills it with the whole sequence. */
    @Setup
    public void fill(Ids shared) {
      for (long id : shared.ids) {
        counts.computeIfAbsent(id, k -> new LongAdder()).increment();
      }
    }
  }

  /** Nothing but the next id. */
  @Benchmark
  @Threads(1)
  public long emptyLoop(Cursor cursor) {
    return cursor.next();
  }

  /** One thread. */
  @Benchmark
  @Threads(1)
  public void tracker1(Tracked tracked, Cursor cursor) {
    tracked.tracker.record(cursor.next());
  }

  /** Two threads. */
  @Benchmark
  @Threads(2)
  public void tracker2(Tracked tracked, Cursor cursor) {
    tracked.tracker.record(cursor.next());
  }

  /** One thread. */
  @Benchmark
  @Threads(1)
  public void map1(Mapped mapped, Cursor cursor) {
    mapped.counts.computeIfAbsent(cursor.next(), k -> new LongAdder()).increment();
  }

  /** Two threads. */
  @Benchmark
  @Threads(2)
  public void map2(Mapped mapped, Cursor cursor) {
    mapped.counts.computeIfAbsent(cursor.next(), k -> new LongAdder()).increment();
  }

  /** Runs this class; takes JMH's own arguments. */
  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    new Runner(
            new OptionsBuilder()
                .parent(new CommandLineOptions(args))
                .include(HeatTrackerBenchmark.class.getName())
                .build())
        .run();
  }
}
