/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.protocol.RampException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Pairs of keys that are written together, by one writer, and read through arenas: both values are
 * of one put, and not older than what was acknowledged.
 */
final class PairsUnderLoad implements AutoCloseable {
  private static final int PAIRS = 200;
  private static final long WRITE_PAUSE_NANOS = Duration.ofMillis(5).toNanos();

  private final RampSession writes;
  private final Duration late;
  private final List<ConcurrentSkipListMap<Long, Long>> acknowledged = new ArrayList<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final LongAdder puts = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder lateReads = new LongAdder();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopping;

  /**
   * Writes nothing yet.
   *
   * @param late for so long after an acknowledgement an older value is counted, not wrong: whoever
   *     has not heard yet that he is no replica any more
   */
  PairsUnderLoad(RampSession writes, Duration late) {
    this.writes = writes;
    this.late = late;
    for (int pair = 0; pair < PAIRS; pair++) {
      acknowledged.add(new ConcurrentSkipListMap<>());
    }
  }

  /** Writes one pair after the other. */
  void write(RampTable<Long, Long> table) {
    begin(
        "writer",
        random -> {
          int pair = random.nextInt(PAIRS);
          long value = puts.sum() + failed.sum() + 1;
          try {
            writes.newSession().put(table, Map.of(2L * pair, value, 2L * pair + 1, value));
            acknowledged.get(pair).put(System.nanoTime(), value);
            puts.increment();
          } catch (RampException e) {
            failed.increment();
          }
          LockSupport.parkNanos(WRITE_PAUSE_NANOS);
        });
  }

  /** Reads them, and knows nothing of them before. */
  void read(String name, RampSession session, RampTable<Long, Long> table) {
    begin(name, random -> readOne(name, session, table, random.nextInt(PAIRS)));
  }

  private void readOne(String name, RampSession session, RampTable<Long, Long> table, int pair) {
    long began = System.nanoTime();
    Map<Long, Long> seen;
    try {
      seen = session.newSession().getAll(table, List.of(2L * pair, 2L * pair + 1));
    } catch (RampException e) {
      failed.increment();
      return;
    }
    reads.increment();
    if (Set.copyOf(seen.values()).size() > 1 || seen.size() == 1) {
      wrong.add(name + " saw a half: " + seen);
    }
    long value = seen.getOrDefault(2L * pair, 0L);
    if (value < newest(pair, began)) {
      lateReads.increment();
      long sure = newest(pair, began - late.toNanos());
      if (value < sure) {
        wrong.add(name + " saw " + value + " of pair " + pair + ", and " + sure + " was told");
      }
    }
  }

  private long newest(int pair, long nanos) {
    Map.Entry<Long, Long> entry = acknowledged.get(pair).floorEntry(nanos);
    return entry == null ? 0 : entry.getValue();
  }

  private void begin(String name, java.util.function.Consumer<SplittableRandom> step) {
    SplittableRandom random = new SplittableRandom(threads.size());
    Thread thread =
        new Thread(
            () -> {
              while (!stopping) {
                step.accept(random);
              }
            },
            name);
    thread.setUncaughtExceptionHandler((in, thrown) -> wrong.add(in.getName() + ": " + thrown));
    threads.add(thread);
    thread.start();
  }

  /** What must not be. */
  List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** How many pairs were written. */
  long puts() {
    return puts.sum();
  }

  /** How many reads began less than that time after what they missed. */
  long lateReads() {
    return lateReads.sum();
  }

  @Override
  public String toString() {
    return "%,d puts, %,d reads, of which %,d late; %,d without answer"
        .formatted(puts.sum(), reads.sum(), lateReads.sum(), failed.sum());
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
