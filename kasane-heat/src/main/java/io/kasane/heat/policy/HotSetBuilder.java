/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.AccessJudge;
import io.kasane.heat.hotset.HeatJudge;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.KeyHotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.key.HeatKey;
import io.kasane.heat.key.IdSet;
import io.kasane.heat.track.HeatSnapshot;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongToDoubleFunction;

/**
 * Collects the hot keys of one snapshot for a policy, the hottest first. Of a sample only the last
 * one is remembered, and what comes before it is hot. Not thread-safe; use once.
 */
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
  private long mostBytes = Long.MAX_VALUE;
  private int lastHot = -1;
  private int lastKept = -1;
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
    IdSet hot = new IdSet(Arrays.stream(keyIds).map(HeatKey::prefixOf).toArray(), keyIds.length);
    double hotHeat = 0;
    for (int at = 0; at < heat.size(); at++) {
      if (hot.contains(heat.keyIdAt(at))) {
        hotHeat += heat.weight() * heat.heatAt(at);
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

  /** Makes all keys of the snapshot hot, if none was added yet. */
  public void addAll() {
    if (!heat.isSample()) {
      ids = new long[heat.size()];
    }
    for (int at = 0; at < heat.size(); at++) {
      add(at);
    }
  }

  /** Makes the key at this position of the snapshot hot. Adding a position twice is an error. */
  public void add(int position) {
    if (!heat.isSample()) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, count + (count >> 1) + 1);
      }
      ids[count] = heat.keyIdAt(position);
    }
    count++;
    lastHot = position;
    bytes += heat.weight() * sizeAt(position);
    hotHeat += heat.weight() * heat.heatAt(position);
    if (!hasPassedOver) {
      double keyHeat = heat.heatAt(position);
      leastHeat = Math.min(leastHeat, keyHeat);
      leastHeatPerByte = Math.min(leastHeatPerByte, keyHeat / sizeAt(position));
    }
  }

  /** The key at this position finds no room: what is added from now on only fills what is left. */
  public void passOver(int position) {
    hasPassedOver = true;
    mostBytes = Math.min(mostBytes, Math.max(0, sizeAt(position) - 1));
  }

  /** Leaves the key at this position where it is: neither hot nor cold. */
  public void keep(int position) {
    hasPassedOver = true;
    if (!heat.isSample()) {
      if (keptCount == keptIds.length) {
        keptIds = Arrays.copyOf(keptIds, keptCount + (keptCount >> 1));
      }
      keptIds[keptCount++] = heat.keyIdAt(position);
    }
    lastKept = position;
    keptBytes += heat.weight() * sizeAt(position);
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
    return build(others, size -> least, line(OptionalLong.empty(), others));
  }

  /** The finished set of keys that were added by their heat per byte. */
  public HotSet buildByHeatPerByte(Temperature others) {
    double least = leastHeatPerByte;
    return build(
        others, size -> least * known(size), line(OptionalLong.of(unknownSizeBytes), others));
  }

  /** The finished set of all keys that are tracked: there is room for them, whatever their heat. */
  public HotSet buildOfAll(Temperature others) {
    double least = leastHeatPerByte;
    HeatLine.Rank last = HeatLine.Rank.LAST;
    return build(
        others,
        size -> least * known(size),
        new HeatLine(
            last,
            last,
            OptionalLong.of(unknownSizeBytes),
            Long.MAX_VALUE,
            heat.totalHeat(),
            others));
  }

  /** The finished set of all keys that had so many accesses in one of two periods. */
  public HotSet buildByAccesses(int least, Temperature others) {
    return build(others, KeyHotSet.NOBODY, new AccessJudge(least, others));
  }

  private HeatLine line(OptionalLong sizes, Temperature others) {
    return HeatLine.between(heat, lastHot, lastKept, sizes, mostBytes, others);
  }

  private HotSet build(Temperature others, LongToDoubleFunction least, HeatJudge judge) {
    double total = heat.totalHeat();
    double heatOfHot = count == 0 ? 0 : hotHeat + heat.missedHeat();
    double share = total > 0 ? Math.max(0, Math.min(1, heatOfHot / total)) : 0;
    heat.tracker().judgeBy(judge);
    if (heat.isSample()) {
      long keys = (long) count * heat.weight();
      return new JudgedHotSet(heat.tracker(), judge, keys, bytes, share, least);
    }
    return new KeyHotSet(
        new IdSet(ids, count), new IdSet(keptIds, keptCount), others, bytes, share, least);
  }
}
