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
  private long[] keptIds = new long[16];
  private int keptCount;
  private long keptBytes;
  private double hotHeat;
  private double coldestHeat = Double.POSITIVE_INFINITY;

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

  /**
   * A set of keys that were chosen without asking the snapshot; all others are cold.
   *
   * @param keyIds the hot keys, each once
   * @param heat for the share of heat that falls on them, and their mean size
   */
  public static HotSet listed(long[] keyIds, HeatSnapshot heat) {
    IdSet hot = new IdSet(keyIds, keyIds.length);
    double hotHeat = 0;
    for (int at = 0; at < heat.size(); at++) {
      if (hot.contains(heat.keyIdAt(at))) {
        hotHeat += heat.heatAt(at);
      }
    }
    double total = heat.totalHeat();
    long bytes = Math.round(keyIds.length * heat.meanSizeBytes());
    return new KeyHotSet(
        hot,
        IdSet.EMPTY,
        Temperature.COLD,
        bytes,
        total > 0 ? Math.min(1, hotHeat / total) : 0,
        Double.POSITIVE_INFINITY);
  }

  /** Makes the key at this position of the snapshot hot. Adding a position twice is an error. */
  public void add(int position) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count + (count >> 1));
    }
    ids[count++] = heat.keyIdAt(position);
    bytes += sizeAt(position);
    hotHeat += heat.heatAt(position);
    coldestHeat = Math.min(coldestHeat, heat.heatAt(position));
  }

  /** Leaves the key at this position where it is: neither hot nor cold. */
  public void keep(int position) {
    if (keptCount == keptIds.length) {
      keptIds = Arrays.copyOf(keptIds, keptCount + (keptCount >> 1));
    }
    keptIds[keptCount++] = heat.keyIdAt(position);
    keptBytes += sizeAt(position);
  }

  private long sizeAt(int position) {
    long size = heat.sizeBytesAt(position);
    return size > 0 ? size : unknownSizeBytes;
  }

  /** Bytes of the keys added so far. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of the keys that stay where they are. */
  public long keptBytes() {
    return keptBytes;
  }

  /** The finished set; every key neither added nor kept has the temperature {@code others}. */
  public HotSet build(Temperature others) {
    double total = heat.totalHeat();
    double share = total > 0 ? Math.min(1, hotHeat / total) : 0;
    return new KeyHotSet(
        new IdSet(ids, count), new IdSet(keptIds, keptCount), others, bytes, share, coldestHeat);
  }
}
