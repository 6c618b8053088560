/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.RampException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Groups of keys that are always written together, each time with one number: a reader who sees two
 * numbers in a group saw half of a transaction.
 */
final class WholeGroups {
  private static final int KEYS = 4;

  private final RampTable<String, Long> table;
  private final int groups;
  private final AtomicLong numbers = new AtomicLong();
  final LongAdder reads = new LongAdder();
  final LongAdder writes = new LongAdder();
  final LongAdder failures = new LongAdder();

  WholeGroups(RampTable<String, Long> table, int groups) {
    this.table = table;
    this.groups = groups;
  }

  /** Writes with all sessions at once, so many times with each, while as many threads read. */
  void run(List<RampSession> sessions, int writesEach, Runnable meanwhile)
      throws InterruptedException, ExecutionException, TimeoutException {
    ExecutorService threads = Executors.newFixedThreadPool(2 * sessions.size());
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < sessions.size(); i++) {
        RampSession session = sessions.get(i);
        Random random = new Random(i);
        writers.add(
            threads.submit(
                () -> IntStream.range(0, writesEach).forEach(each -> write(session, random))));
      }
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < sessions.size(); i++) {
        // Sessions of others' numbers are read with a session of one's own.
        RampSession session = sessions.get(i).newSession();
        Random random = new Random(100 + i);
        readers.add(
            threads.submit(
                (Callable<Void>)
                    () -> {
                      while (!writers.stream().allMatch(Future::isDone)) {
                        read(session, random.nextInt(groups));
                      }
                      return null;
                    }));
      }
      meanwhile.run();
      for (Future<?> each : writers) {
        each.get(90, TimeUnit.SECONDS);
      }
      for (Future<?> each : readers) {
        each.get(90, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void write(RampSession session, Random random) {
    int group = random.nextInt(groups);
    RampTransaction transaction = session.write();
    if (random.nextInt(10) == 0) {
      transaction.delete(table, keys(group));
    } else {
      long number = numbers.incrementAndGet();
      keys(group).forEach(key -> transaction.put(table, key, number));
    }
    try {
      transaction.commit();
      writes.increment();
    } catch (RampException e) {
      failures.increment();
    }
  }

  private void read(RampSession session, int group) {
    try {
      requireWhole(session, group);
      reads.increment();
    } catch (RampException e) {
      failures.increment();
    }
  }

  /** Reads one group, and fails if it saw half of something. */
  void requireWhole(RampSession session, int group) {
    RampRows rows = session.read().get(table, keys(group)).run();
    Map<String, Optional<Long>> seen = new TreeMap<>();
    keys(group).forEach(key -> seen.put(key, rows.get(table, key)));
    if (seen.values().stream().distinct().count() != 1) {
      throw new AssertionError("half of a transaction: " + seen);
    }
  }

  List<String> keys(int group) {
    return IntStream.range(0, KEYS).mapToObj(i -> "group " + group + " key " + i).toList();
  }
}
