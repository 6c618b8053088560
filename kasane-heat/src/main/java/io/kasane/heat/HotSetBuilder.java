/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

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
  private boolean hasPassedOver;
  private double leastHeat = Double.POSITIVE_INFINITY;
  private double leastHeatPerByte = Double.POSITIVE_INFINITY;

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
        KeyHotSet.NOBODY);
  }

  /** Makes the key at this position of the snapshot hot. Adding a position twice is an error. */
  public void add(int position) {
    if (count == ids.length) {
      ids = Arrays.copyOf(ids, count + (count >> 1));
    }
    ids[count++] = heat.keyIdAt(position);
    bytes += sizeAt(position);
    hotHeat += heat.heatAt(position);
    if (!hasPassedOver) {
      double keyHeat = heat.heatAt(position);
      leastHeat = Math.min(leastHeat, keyHeat);
      leastHeatPerByte = Math.min(leastHeatPerByte, keyHeat / sizeAt(position));
    }
  }

  /** A key finds no room: what is added from now on only fills what is left. */
  public void passOver() {
    hasPassedOver = true;
  }

  /** Leaves the key at this position where it is: neither hot nor cold. */
  public void keep(int position) {
    passOver();
    if (keptCount == keptIds.length) {
      keptIds = Arrays.copyOf(keptIds, keptCount + (keptCount >> 1));
    }
    keptIds[keptCount++] = heat.keyIdAt(position);
    keptBytes += sizeAt(position);
  }

  private long sizeAt(int position) {
    return known(heat.sizeBytesAt(position));
  }

  private long known(long sizeBytes) {
    return sizeBytes > 0 ? sizeBytes : unknownSizeBytes;
  }

  /** Bytes of the keys added so far. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of the keys that stay where they are. */
  public long keptBytes() {
    return keptBytes;
  }

  /**
   * The finished set of keys that were added by their heat; every key neither added nor kept has
   * the temperature {@code others}.
   */
  public HotSet build(Temperature others) {
    double least = leastHeat;
    return build(others, size -> least);
  }

  /** The finished set of keys that were added by their heat per byte. */
  public HotSet buildByHeatPerByte(Temperature others) {
    double least = leastHeatPerByte;
    return build(others, size -> least * known(size));
  }

  private HotSet build(Temperature others, LongToDoubleFunction least) {
    double total = heat.totalHeat();
    double share = total > 0 ? Math.min(1, hotHeat / total) : 0;
    return new KeyHotSet(
        new IdSet(ids, count), new IdSet(keptIds, keptCount), others, bytes, share, least);
  }
}
