/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a {@link HeatTracker} knew at one moment: the input of policies and operator views.
 * Immutable and safe to share; 24 bytes per key. Positions run from 0 to {@link #size()} - 1 in no
 * particular order.
 */
public final class HeatSnapshot {
  private final long[] ids;
  private final int[] heats; // units, unsigned
  private final int[] sizes; // bytes, unsigned, 0 = not reported
  private final int[] last;
  private final int[] running;
  private final int size;
  private final double totalHeat;
  private final long totalAccesses;
  private final double meanSizeBytes;
  private final long periodMillis;
  private final boolean wholePeriod;
  private final boolean restored;

  private HeatSnapshot(Collector from, long periodMillis, boolean wholePeriod, boolean restored) {
    this.ids = from.ids;
    this.heats = from.heats;
    this.sizes = from.sizes;
    this.last = from.last;
    this.running = from.running;
    this.size = from.size;
    this.totalHeat = Math.max(from.totalHeat, from.trackedHeat) / (double) HeatSegment.UNIT;
    this.totalAccesses = from.totalAccesses;
    this.meanSizeBytes = from.sizeCount > 0 ? from.sizeSum / from.sizeCount : 0;
    this.periodMillis = periodMillis;
    this.wholePeriod = wholePeriod;
    this.restored = restored;
  }

  /** Number of tracked keys. */
  public int size() {
    return size;
  }

  /** Id of the key at a position. */
  public long keyIdAt(int position) {
    return ids[position];
  }

  /** Heat (aged accesses) of the key at a position; greater than 0. */
  public double heatAt(int position) {
    return (heats[position] & 0xFFFFFFFFL) / (double) HeatSegment.UNIT;
  }

  /** Reported size in bytes of the key at a position; 0 when none was reported. */
  public long sizeBytesAt(int position) {
    return sizes[position] & 0xFFFFFFFFL;
  }

  /** Accesses in the newest completed period. */
  public int lastPeriodAccessesAt(int position) {
    return last[position];
  }

  /** Accesses so far in the running period. */
  public int runningPeriodAccessesAt(int position) {
    return running[position];
  }

  /** Everything about the key at a position. */
  public KeyHeat at(int position) {
    return new KeyHeat(
        ids[position], heatAt(position), sizeBytesAt(position), last[position], running[position]);
  }

  /** Calls back for every tracked key, in no particular order. */
  public void forEach(Consumer<? super KeyHeat> visitor) {
    for (int i = 0; i < size; i++) {
      visitor.accept(at(i));
    }
  }

  /** The hottest {@code n} keys (or fewer), hottest first. */
  public List<KeyHeat> hottest(int n) {
    HeatRanking ranking = HeatRanking.byHeat(this);
    List<KeyHeat> result = new ArrayList<>();
    for (int at = ranking.next(); at >= 0 && result.size() < n; at = ranking.next()) {
      result.add(at(at));
    }
    return result;
  }

  /**
   * The curve "the hottest x % of the tracked keys receive y of the heat".
   *
   * @param percents x, each 0 to 100, in any order
   * @return y for each x, 0 to 1
   */
  public double[] accessShareOfHottest(double... percents) {
    int[] sorted = Arrays.copyOf(heats, size);
    for (int i = 0; i < size; i++) {
      sorted[i] = ~sorted[i] ^ Integer.MIN_VALUE; // unsigned descending as signed ascending
    }
    Arrays.sort(sorted);
    double[] sums = new double[size + 1];
    for (int i = 0; i < size; i++) {
      long heat = ~(sorted[i] ^ Integer.MIN_VALUE) & 0xFFFFFFFFL;
      sums[i + 1] = sums[i] + heat / (double) HeatSegment.UNIT;
    }
    double[] shares = new double[percents.length];
    for (int i = 0; i < percents.length; i++) {
      int keys = (int) Math.round(Math.max(0, Math.min(100, percents[i])) / 100 * size);
      shares[i] = totalHeat > 0 ? Math.min(1, sums[keys] / totalHeat) : 0;
    }
    return shares;
  }

  /** Heat of all recorded accesses, of tracked keys and of those that had to leave. */
  public double totalHeat() {
    return totalHeat;
  }

  /** Accesses recorded since the tracker began, unaged. */
  public long totalAccesses() {
    return totalAccesses;
  }

  /** Mean of the sizes reported (recent ones weigh more), in bytes; 0 when none was. */
  public double meanSizeBytes() {
    return meanSizeBytes;
  }

  /** Length of an access period in milliseconds. */
  public long periodMillis() {
    return periodMillis;
  }

  /** Whether the tracker has seen one whole period, or was restored with heat from before. */
  public boolean wholePeriodObserved() {
    return wholePeriod || restored;
  }

  /**
   * Whether the counts say enough to call an unseen key cold: heat was restored, or a whole period
   * has passed and there were at least two accesses per tracked key.
   */
  public boolean warm() {
    return restored || (wholePeriod && totalAccesses > 0 && totalAccesses >= 2L * size);
  }

  int rawHeatAt(int position) {
    return heats[position];
  }

  /** Gathers one snapshot; not thread-safe. */
  static final class Collector implements HeatSegment.EntryVisitor {
    private final int period;
    private long[] ids;
    private int[] heats;
    private int[] sizes;
    private int[] last;
    private int[] running;
    private int size;
    private long trackedHeat;
    private long totalHeat;
    private long totalAccesses;
    private double sizeSum;
    private double sizeCount;

    Collector(int expectedKeys, int period) {
      this.period = period;
      int room = expectedKeys + expectedKeys / 64 + 16;
      ids = new long[room];
      heats = new int[room];
      sizes = new int[room];
      last = new int[room];
      running = new int[room];
    }

    void addTotals(HeatSegment segment) {
      totalHeat += segment.totalHeat;
      totalAccesses += segment.accesses;
      sizeSum += segment.sizeSum;
      sizeCount += segment.sizeCount;
    }

    @Override
    public void visit(long keyId, int heat, int sizeBytes, long window) {
      if (size == ids.length) {
        int room = size + size / 2;
        ids = Arrays.copyOf(ids, room);
        heats = Arrays.copyOf(heats, room);
        sizes = Arrays.copyOf(sizes, room);
        last = Arrays.copyOf(last, room);
        running = Arrays.copyOf(running, room);
      }
      ids[size] = keyId;
      heats[size] = heat;
      sizes[size] = sizeBytes;
      trackedHeat += heat & 0xFFFFFFFFL;
      int age = (period - HeatSegment.stampOf(window)) & HeatSegment.PERIOD_MASK;
      if (age == 0 || age == HeatSegment.PERIOD_MASK) { // may have rolled while we copied
        running[size] = HeatSegment.runningOf(window);
        last[size] = HeatSegment.lastOf(window);
      } else if (age == 1) {
        last[size] = HeatSegment.runningOf(window);
      }
      size++;
    }

    HeatSnapshot finish(long periodMillis, boolean wholePeriod, boolean restored) {
      return new HeatSnapshot(this, periodMillis, wholePeriod, restored);
    }
  }
}
