/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import io.kasane.heat.table.HeatChunks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Divides fixed numbers of bytes among all that a node knows of rows, whatever single tables ask
 * for: outside the heap for trackers and for what reads may leave out, on the heap for lists of
 * keys.
 *
 * <p>Trackers get max-min fair shares: no tracker gets less than it demands while another has more
 * than it. First by what each holds and as much again, then, of what is left, up to its wish: one
 * that is filled fast should not have to wait. A share is worth {@value
 * HeatTrackerOptions#KEY_BYTES} bytes a key. It is cut to steps of an eighth, and a tracker only
 * grows by a quarter or to its wish, so that trackers are seldom resized; the sum of their
 * capacities never exceeds their part.
 *
 * <p>Thread-safe. It starts no thread.
 */
public final class HeatMemory {
  /** Bytes of heap that a key of a list takes. */
  public static final int LISTED_KEY_BYTES = 48;

  private static final int MIN_GROWTH_KEYS = 4096;
  private static final double WORTH_GROWING = 1.25;
  private static final int STEPS = 8;

  private final long trackerBytes;
  private final long leftOutBytes;
  private final long listBytes;
  private final Map<HeatTracker, Integer> wishes = new LinkedHashMap<>();
  private final HeatChunks chunks = new HeatChunks();
  private long listedKeys;

  /**
   * A memory that nothing uses yet.
   *
   * @param trackerBytes outside the heap
   * @param leftOutBytes outside the heap, for what all tables know of rows that reads may leave out
   * @param listBytes of heap, for lists of keys
   */
  public HeatMemory(long trackerBytes, long leftOutBytes, long listBytes) {
    this.trackerBytes = trackerBytes;
    this.leftOutBytes = leftOutBytes;
    this.listBytes = listBytes;
  }

  /** What all tables together may use to know which rows reads may leave out, bytes. */
  public long leftOutBytes() {
    return leftOutBytes;
  }

  /** What all lists of keys together may use, bytes. */
  public long listBytes() {
    return listBytes;
  }

  /**
   * A tracker of another table; the others make room for it at once.
   *
   * @param wish settings; its capacity is the most it will get
   * @param clockMillis see {@link HeatTracker}
   * @param seed see {@link HeatTracker}
   */
  public synchronized HeatTracker track(
      HeatTrackerOptions wish, LongSupplier clockMillis, long seed) {
    List<HeatTracker> others = new ArrayList<>(wishes.keySet());
    long[] demands = new long[others.size() + 1];
    long[] most = new long[demands.length];
    for (int i = 0; i < others.size(); i++) {
      demands[i] = demandOf(others.get(i));
      most[i] = wishes.get(others.get(i));
    }
    demands[others.size()] = wish.capacityKeys();
    most[others.size()] = wish.capacityKeys();
    int[] shares = shares(demands, most);
    resize(others, shares);
    HeatTracker tracker =
        new HeatTracker(wish.withCapacityKeys(shares[others.size()]), clockMillis, seed, chunks);
    wishes.put(tracker, wish.capacityKeys());
    return tracker;
  }

  /**
   * From now on a tracker gets at most {@code wishKeys}; it follows with the next {@link #share}.
   */
  public synchronized void wish(HeatTracker tracker, int wishKeys) {
    wishes.computeIfPresent(tracker, (same, before) -> wishKeys);
  }

  /** A tracker is no longer used: it gives back its memory. */
  public synchronized void forget(HeatTracker tracker) {
    if (wishes.remove(tracker) != null) {
      tracker.close();
    }
  }

  /** Divides anew by what the trackers hold now. To be called about once a second. */
  public synchronized void share() {
    List<HeatTracker> all = new ArrayList<>(wishes.keySet());
    long[] demands = all.stream().mapToLong(this::demandOf).toArray();
    long[] most = all.stream().mapToLong(wishes::get).toArray();
    resize(all, shares(demands, most));
    chunks.prepare();
  }

  /**
   * Asks for room for keys of a list.
   *
   * @return whether there was room; {@link #unlist} gives it back
   */
  public synchronized boolean list(int keys) {
    if (keys > listBytes / LISTED_KEY_BYTES - listedKeys) {
      return false;
    }
    listedKeys += keys;
    return true;
  }

  /** Gives back room that {@link #list} got. */
  public synchronized void unlist(int keys) {
    listedKeys -= keys;
  }

  private long demandOf(HeatTracker tracker) {
    return Math.min(wishes.get(tracker), 2 * tracker.trackedKeys() + MIN_GROWTH_KEYS);
  }

  private int[] shares(long[] demands, long[] most) {
    long keys = trackerBytes / HeatTrackerOptions.KEY_BYTES;
    long[] first = fairShares(keys, demands);
    long[] wanted = new long[most.length];
    Arrays.setAll(wanted, i -> most[i] - first[i]);
    long[] second = fairShares(keys - Arrays.stream(first).sum(), wanted);
    int[] shares = new int[most.length];
    Arrays.setAll(shares, i -> inSteps(first[i] + second[i], most[i]));
    return shares;
  }

  /** Those that shrink come first, so that there is never more than there may be. */
  private void resize(List<HeatTracker> trackers, int[] shares) {
    for (int i = 0; i < shares.length && i < trackers.size(); i++) {
      if (shares[i] < trackers.get(i).capacityKeys()) {
        trackers.get(i).resize(shares[i]);
      }
    }
    for (int i = 0; i < shares.length && i < trackers.size(); i++) {
      HeatTracker tracker = trackers.get(i);
      boolean isWish = shares[i] == wishes.get(tracker);
      double least = isWish ? tracker.capacityKeys() : WORTH_GROWING * tracker.capacityKeys();
      if (shares[i] > least) {
        tracker.resize(shares[i]);
      }
    }
  }

  /** The largest multiple of an eighth of a power of two that is at most {@code keys}, or 1. */
  private static int inSteps(long keys, long wish) {
    if (keys >= wish) {
      return (int) wish;
    }
    long step = Math.max(1, Long.highestOneBit(keys) / STEPS);
    return (int) Math.max(1, keys / step * step);
  }

  /**
   * Max-min fair shares.
   *
   * @param available to be divided, at least 0
   * @param demands at least 0 each
   * @return each at most its demand; together all of {@code available}, or all demands
   */
  static long[] fairShares(long available, long[] demands) {
    Integer[] bySize = new Integer[demands.length];
    Arrays.setAll(bySize, i -> i);
    Arrays.sort(bySize, Comparator.comparingLong(i -> demands[i]));
    long[] shares = new long[demands.length];
    long left = available;
    for (int i = 0; i < bySize.length; i++) {
      long fair = left / (bySize.length - i);
      shares[bySize[i]] = Math.min(demands[bySize[i]], fair);
      left -= shares[bySize[i]];
    }
    return shares;
  }
}
