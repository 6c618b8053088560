/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.arena;

import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.protocol.RampException;
import io.kasane.ramp.version.Bytes;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** One thread that reads groups by one of both sessions, one after the other. */
final class ArenaSide {
  private static final long MAX_NANOS = 10_000_000_000L;

  private final ArenaNode node;
  private final RampSession session;
  private final Recorder times = new Recorder(MAX_NANOS, 3);
  private final Histogram all = new Histogram(MAX_NANOS, 3);
  private final LongAdder halves = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Thread thread;
  private volatile boolean stopping;

  /**
   * What was seen so far.
   *
   * @param p50Micros how long a read took at the median
   * @param halves reads that saw a part of a transaction
   */
  record Counts(long reads, double p50Micros, double p99Micros, long halves, long failed) {}

  ArenaSide(String name, ArenaNode node, RampSession session, long seed) {
    this.node = node;
    this.session = session;
    this.thread = new Thread(() -> repeat(new SplittableRandom(seed)), name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void repeat(SplittableRandom random) {
    while (!stopping) {
      int group = random.nextInt(ArenaNode.GROUPS);
      long began = System.nanoTime();
      try {
        Map<Long, Bytes> seen = node.read(session, group);
        times.recordValue(Math.min(MAX_NANOS, System.nanoTime() - began));
        if (seen.size() != ArenaNode.KEYS || Set.copyOf(seen.values()).size() != 1) {
          halves.increment();
        }
      } catch (RampException e) {
        failed.increment();
      }
    }
  }

  /** For one thread. */
  Counts counts() {
    all.add(times.getIntervalHistogram());
    return new Counts(
        all.getTotalCount(),
        all.getValueAtPercentile(50) / 1e3,
        all.getValueAtPercentile(99) / 1e3,
        halves.sum(),
        failed.sum());
  }

  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
  }
}
