/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.examples;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/** Two threads write, four read, and halves are counted. */
final class Race {
  static final int WRITERS = 2;
  private static final int READERS = 4;

  private Race() {}

  /**
   * What was done, and what was seen.
   *
   * @param halves reads that saw half of a change
   */
  record Score(long writes, long reads, long halves) {}

  /** Runs a contest for a while. */
  static Score run(Contest contest, Duration time) throws InterruptedException {
    LongAdder writes = new LongAdder();
    LongAdder reads = new LongAdder();
    LongAdder halves = new LongAdder();
    long end = System.nanoTime() + time.toNanos();
    List<Runnable> threads = new ArrayList<>();
    for (int number = 0; number < WRITERS; number++) {
      int writer = number;
      Random random = new Random(writer);
      threads.add(
          () -> {
            while (System.nanoTime() - end < 0) {
              contest.write(writer, random);
              writes.increment();
            }
          });
    }
    for (int reader = 0; reader < READERS; reader++) {
      Random random = new Random(WRITERS + reader);
      threads.add(
          () -> {
            while (System.nanoTime() - end < 0) {
              halves.add(contest.readsWhole(random) ? 0 : 1);
              reads.increment();
            }
          });
    }
    finish(threads);
    return new Score(writes.sum(), reads.sum(), halves.sum());
  }

  private static void finish(List<Runnable> tasks) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(threads.submit(task)));
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed: " + e.getCause().getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Prints both results, one beside the other. */
  static void print(PrintStream out, Score stock, Score ramp) {
    out.printf("%n%-28s %10s %10s %12s%n", "", "writes", "reads", "halves seen");
    line(out, "stock LOGGED BATCH", stock);
    line(out, "read-atomic transactions", ramp);
  }

  private static void line(PrintStream out, String name, Score score) {
    out.printf("%-28s %,10d %,10d %,12d%n", name, score.writes(), score.reads(), score.halves());
  }
}
