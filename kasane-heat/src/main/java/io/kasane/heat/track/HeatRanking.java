/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import io.kasane.heat.key.KeyMix;
import io.kasane.heat.table.HeatEntry;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Walks the positions of a snapshot from the best key downwards. Equal keys come in the order of
 * their mixed ids, which is the same in every snapshot: a hot set does not flap between calls. Not
 * thread-safe. Sorting 100,000 keys takes about 10 ms and 1 MB.
 */
public final class HeatRanking {
  private final HeatSnapshot heat;
  private final long[] order; // rank in the upper half, position in the lower
  private int next;
  private int tiesEnd;

  private HeatRanking(HeatSnapshot heat, long[] order) {
    this.heat = heat;
    this.order = order;
    Arrays.sort(order);
  }

  /** Hottest first. */
  public static HeatRanking byHeat(HeatSnapshot heat) {
    long[] order = new long[heat.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = descending(Float.floatToRawIntBits((float) heat.heatAt(i)), i);
    }
    return new HeatRanking(heat, order);
  }

  /**
   * Most heat per byte first.
   *
   * @param unknownSizeBytes size to assume for keys whose size was never reported; above 0
   * @param favoured positions that outrank others unless those are clearly hotter
   */
  public static HeatRanking byHeatPerByte(
      HeatSnapshot heat, long unknownSizeBytes, IntPredicate favoured) {
    long[] order = new long[heat.size()];
    for (int i = 0; i < order.length; i++) {
      float density = heatPerByte(heat.entryAt(i), unknownSizeBytes, favoured.test(i), 1);
      order[i] = descending(Float.floatToRawIntBits(density), i); // ordered like floats above 0
    }
    return new HeatRanking(heat, order);
  }

  /**
   * Of an access count of n, its square root is chance, so that is added if it is favoured.
   *
   * @param scale of its heat
   */
  public static float heatPerByte(
      long entry, long unknownSizeBytes, boolean isFavoured, double scale) {
    long size = HeatEntry.size(entry);
    double own = scale * HeatEntry.heat(entry) / HeatEntry.UNIT;
    double weighed = isFavoured ? own + Math.sqrt(own) : own;
    return (float) (weighed / (size > 0 ? size : unknownSizeBytes));
  }

  /** Orders equal keys: the lesser first. */
  public static int tieBreak(long key) {
    return (int) (KeyMix.mix(key) >>> 33);
  }

  private static long descending(int unsignedRank, int position) {
    return (((long) ~unsignedRank << 32) | position) ^ Long.MIN_VALUE;
  }

  /** The next best position, or -1 when there is none left. */
  public int next() {
    if (next == order.length) {
      return -1;
    }
    if (next >= tiesEnd) {
      sortTies();
    }
    return (int) order[next++];
  }

  private void sortTies() {
    int end = next + 1;
    while (end < order.length && order[end] >> 32 == order[next] >> 32) {
      end++;
    }
    if (end - next > 1) {
      for (int i = next; i < end; i++) {
        int position = (int) order[i];
        order[i] = ((long) tieBreak(heat.keyAt(position)) << 32) | position;
      }
      Arrays.sort(order, next, end);
    }
    tiesEnd = end;
  }
}
