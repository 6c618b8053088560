/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.Arrays;

/** Collects the hot keys of one snapshot for a policy. Not thread-safe; use once. */
public final class HotSetBuilder {
  private final HeatSnapshot heat;
  private final long unknownSizeBytes;
  private long[] ids = new long[64];
  private int count;
  private long bytes;
  private double hotHeat;

  /**
   * Starts an empty set.
   *
   * @param heat the snapshot whose positions are going to be added
   * @param unknownSizeBytes bytes to count for a key whose size was never reported
   */
  public HotSetBuilder(HeatSnapshot heat, long unknownSizeBytes) {
    this.heat = heat;
    this.unknownSizeBytes = unknownSizeBytes;
  }

  /** Makes the key at this position of the snapshot hot. Adding a position twice is an error. */
  public void add(int position) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count + (count >> 1));
    }
    ids[count++] = heat.keyIdAt(position);
    long size = heat.sizeBytesAt(position);
    bytes += size > 0 ? size : unknownSizeBytes;
    hotHeat += heat.heatAt(position);
  }

  /** Bytes of the keys added so far. */
  public long bytes() {
    return bytes;
  }

  /** The finished set; every key that was not added has the temperature {@code others}. */
  public HotSet build(Temperature others) {
    double total = heat.totalHeat();
    double share = total > 0 ? Math.min(1, hotHeat / total) : 0;
    return new KeyHotSet(ids, count, others, bytes, share);
  }
}
