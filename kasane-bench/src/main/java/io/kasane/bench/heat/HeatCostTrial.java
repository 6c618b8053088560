/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import static org.agrona.UnsafeAccess.UNSAFE;

import io.kasane.heat.file.HeatFile;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.node.NodeException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A tracker of one size under one load, looked at from all sides. Keys are drawn by the inverse of
 * the integral of x⁻ˢ, and are hashes of their ranks.
 */
final class HeatCostTrial {
  private static final int DRAWS = 1 << 22;
  private static final int LEARNED_PER_KEY = 4;
  private static final int MIN_LEARNED = 4_000_000;
  private static final double ROOM = 1.25;
  private static final int PLACE_BYTES = 128;
  private static final double NANOS_PER_MILLI = 1e6;

  private final int keys;
  private final double zipf;
  private final Path directory;
  private final SplittableRandom random = new SplittableRandom(42);
  private final AtomicLong clock = new AtomicLong();

  HeatCostTrial(int keys, double zipf, Path directory) {
    this.keys = keys;
    this.zipf = zipf;
    this.directory = directory;
  }

  HeatCost run(Consumer<String> progress) {
    progress.accept("learning");
    int[] exact = new int[keys];
    long heapBefore = usedHeap();
    try (HeatTracker tracker = tracker()) {
      long learned = Math.max(MIN_LEARNED, (long) LEARNED_PER_KEY * keys);
      for (long i = 0; i < learned; i++) {
        int rank = draw();
        exact[rank]++;
        tracker.record(idOf(rank));
      }
      long heapBytes = Math.max(0, usedHeap() - heapBefore);
      double advance = advance(tracker);
      progress.accept("hot sets");
      long began = System.nanoTime();
      hotSet(tracker, keys / 20);
      double hotSet = millisSince(began);
      double[] hits = new double[3];
      int[] percents = {1, 5, 10};
      for (int i = 0; i < hits.length; i++) {
        hits[i] = hits(tracker, exact, (int) (keys / 100L * percents[i]));
      }
      progress.accept("saving");
      double[] files = saveAndLoad(tracker);
      progress.accept("accesses");
      int[] ranks = random.ints(DRAWS, 0, 1).map(zero -> draw()).toArray();
      long lostBefore = tracker.lostAccesses();
      double one = accessNanos(tracker, ranks, 1);
      double two = accessNanos(tracker, ranks, 2);
      double lost = (tracker.lostAccesses() - lostBefore) / (4.0 * DRAWS);
      return new HeatCost(
          keys,
          zipf,
          tracker.trackedKeys(),
          tracker.memoryBytes() / (double) tracker.trackedKeys(),
          heapBytes,
          one,
          two,
          ceilingNanos(tracker.memoryBytes(), ranks),
          lost,
          advance,
          hotSet,
          files[0],
          (long) files[1],
          files[2],
          hits[0],
          hits[1],
          hits[2]);
    }
  }

  private HeatTracker tracker() {
    int most = (int) Math.min(HeatTrackerOptions.MAX_CAPACITY, ROOM * keys);
    return new HeatTracker(HeatTrackerOptions.defaults().withCapacityKeys(most), clock::get, 7);
  }

  /** A rank from 0. */
  private int draw() {
    double u = random.nextDouble();
    double x = Math.pow(u * (Math.pow(keys, 1 - zipf) - 1) + 1, 1 / (1 - zipf));
    return Math.min(keys - 1, (int) x - 1);
  }

  /** As well mixed as tokens are: the finaliser of SplitMix64. */
  private static long idOf(int rank) {
    long z = (rank + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private double advance(HeatTracker tracker) {
    double longest = 0;
    for (int second = 0; second < 20; second++) {
      clock.addAndGet(1_000);
      long began = System.nanoTime();
      tracker.advance();
      longest = Math.max(longest, millisSince(began));
    }
    return longest;
  }

  private static HotSet hotSet(HeatTracker tracker, int hotKeys) {
    return new BudgetPolicy(() -> hotKeys, 1, () -> 1).select(tracker.snapshot());
  }

  private double hits(HeatTracker tracker, int[] exact, int hotKeys) {
    HotSet hot = hotSet(tracker, hotKeys);
    Hottest hottest = Hottest.of(exact, hotKeys);
    long ofTracker = 0;
    double ofExact = 0;
    for (int i = 0; i < DRAWS; i++) {
      int rank = draw();
      ofTracker += hot.temperatureOf(idOf(rank)) == Temperature.HOT ? 1 : 0;
      ofExact += hottest.shareOf(exact[rank]);
    }
    return ofTracker / ofExact;
  }

  /**
   * The keys of the highest counts.
   *
   * @param above all keys with more accesses than this are hot
   * @param share of the keys with as many that are hot, too
   */
  private record Hottest(int above, double share) {
    private static final int MAX_COUNT = 1 << 16;

    static Hottest of(int[] counts, int hotKeys) {
      int[] keysByCount = new int[MAX_COUNT + 1];
      for (int count : counts) {
        keysByCount[Math.min(MAX_COUNT, count)]++;
      }
      int left = hotKeys;
      int above = MAX_COUNT;
      while (above > 0 && keysByCount[above] <= left) {
        left -= keysByCount[above--];
      }
      return new Hottest(above, left / (double) Math.max(1, keysByCount[above]));
    }

    double shareOf(int count) {
      return count > above ? 1 : count == above ? share : 0;
    }
  }

  /** Milliseconds, bytes, milliseconds. */
  private double[] saveAndLoad(HeatTracker tracker) {
    try (HeatFile file = new HeatFile(directory, "trial");
        HeatTracker restored = tracker()) {
      long began = System.nanoTime();
      file.saveAll(tracker);
      double save = millisSince(began);
      double bytes = file.savedBytes();
      began = System.nanoTime();
      file.restoreInto(restored);
      double load = millisSince(began);
      file.delete();
      return new double[] {save, bytes, load};
    } catch (IOException e) {
      throw new NodeException("cannot save heat in " + directory + ": " + e, e);
    }
  }

  private static double accessNanos(HeatTracker tracker, int[] ranks, int threads) {
    long[] ids = new long[ranks.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = idOf(ranks[i]);
    }
    run(threads, from -> recordAll(tracker, ids, from)); // warms up
    return run(threads, from -> recordAll(tracker, ids, from));
  }

  private static void recordAll(HeatTracker tracker, long[] ids, int from) {
    for (int i = 0; i < ids.length; i++) {
      tracker.record(ids[(from + i) & (ids.length - 1)]);
    }
  }

  /** Nanoseconds of each of {@link #DRAWS} steps of a thread. */
  private static double run(int threads, java.util.function.IntConsumer work) {
    Thread[] all = new Thread[threads];
    long began = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      int from = i * (DRAWS / 3);
      all[i] = new Thread(() -> work.accept(from));
      all[i].start();
    }
    try {
      for (Thread thread : all) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NodeException("interrupted", e);
    }
    return (System.nanoTime() - began) / (double) DRAWS;
  }

  /** The places are drawn by the same law: hot ones are in the caches. */
  private static double ceilingNanos(long bytes, int[] ranks) {
    long places = bytes / PLACE_BYTES;
    long memory = UNSAFE.allocateMemory(places * PLACE_BYTES);
    try {
      UNSAFE.setMemory(memory, places * PLACE_BYTES, (byte) 0);
      long[] at = new long[ranks.length];
      for (int i = 0; i < at.length; i++) {
        at[i] = memory + Long.remainderUnsigned(idOf(ranks[i]), places) * PLACE_BYTES;
      }
      run(1, from -> touchAll(at));
      return run(1, from -> touchAll(at));
    } finally {
      UNSAFE.freeMemory(memory);
    }
  }

  private static void touchAll(long[] at) {
    for (long place : at) {
      UNSAFE.compareAndSwapLong(null, place, 0, 1);
      UNSAFE.putOrderedLong(null, place, 0);
    }
  }

  private static double millisSince(long began) {
    return (System.nanoTime() - began) / NANOS_PER_MILLI;
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
