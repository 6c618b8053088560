/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When fast and slow SSTables of a table may be compacted together to purge tombstones, and how
 * many tombstones the last such compaction could not drop. It rewrites many bytes on slow to drop
 * few, so it may run for at most a twentieth of the time. A small table is purged at once, 4 TiB
 * every fortnight. Thread-safe.
 */
public final class PurgePace {
  /** Cassandra's default limit for compactions; how long the last purge took tells better. */
  private static final long BYTES_PER_SECOND = 64L << 20;

  private final LongSupplier nanoClock;
  private final Map<Integer, Double> leftCells = new HashMap<>();
  private long endedNanos;
  private long tookNanos;
  private boolean running;
  private long lookedNanos;

  public PurgePace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.endedNanos = nanoClock.getAsLong();
    this.lookedNanos = endedNanos;
  }

  /** Whether a purge may begin that rewrites so many bytes. */
  public synchronized boolean allows(long bytes) {
    double reckonedNanos = (double) bytes / BYTES_PER_SECOND * TimeUnit.SECONDS.toNanos(1);
    long restNanos = TimeBudget.PURGES.restNanos(Math.max((long) reckonedNanos, tookNanos));
    return !running && nanoClock.getAsLong() - endedNanos >= restNanos;
  }

  public synchronized void begins() {
    running = true;
  }

  /** It has ended, well or not. */
  public synchronized void ended(long nanos) {
    running = false;
    tookNanos = nanos;
    endedNanos = nanoClock.getAsLong();
  }

  /**
   * It has ended well.
   *
   * @param shards whose SSTables were compacted
   * @param left the droppable cells that lie on fast all the same, by shard
   */
  public synchronized void purged(Set<Integer> shards, Map<Integer, Double> left) {
    leftCells.keySet().removeAll(shards);
    left.forEach((shard, cells) -> leftCells.merge(shard, cells, Double::sum));
  }

  /**
   * How many droppable cells of a shard could not be purged the last time.
   *
   * @param retryNanos after this they are worth another try
   */
  public synchronized double leftCells(int shard, long retryNanos) {
    return nanoClock.getAsLong() - endedNanos < retryNanos ? leftCells.getOrDefault(shard, 0.0) : 0;
  }

  /** Runs {@code look} unless that was done less than {@code periodNanos} ago. */
  public void lookEvery(long periodNanos, Runnable look) {
    synchronized (this) {
      long now = nanoClock.getAsLong();
      if (now - lookedNanos < periodNanos) {
        return;
      }
      lookedNanos = now;
    }
    look.run();
  }
}
