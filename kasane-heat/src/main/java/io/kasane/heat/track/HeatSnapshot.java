/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.key.HeatKey;
import io.kasane.heat.table.HeatEntry;
import io.kasane.heat.table.HeatTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a {@link HeatTracker} knew at one moment: the input of policies and operator views.
 * Immutable and safe to share; 16 bytes per key. Positions run from 0 to {@link #size()} - 1 in no
 * particular order.
 *
 * <p>Of many keys it has some, each in place of {@link #weight()} of them.
 */
public final class HeatSnapshot {
  private final long[] keys;
  private final long[] entries;
  private final int size;
  private final int weight;
  private final HeatTotals totals;
  private final double totalHeat;
  private final double heldHeat;
  private final double trackedHeat;
  private final long untold;
  private final long newerAccesses;
  private final long periodMillis;
  private final boolean wholePeriod;
  private final boolean restored;
  private final HeatTracker tracker;

  /**
   * A snapshot.
   *
   * @param trackedShare of all heat that tracked keys have
   */
  HeatSnapshot(Collector from, HeatTotals totals, double trackedShare, HeatTracker tracker) {
    this.newerAccesses = tracker.newerAccesses();
    this.keys = from.keys;
    this.entries = from.entries;
    this.size = from.size;
    this.weight = from.weight;
    this.totals = totals;
    this.heldHeat = from.heat / (double) HeatEntry.UNIT;
    double all = totals.heat() / (double) HeatEntry.UNIT;
    this.totalHeat = isSample() ? all : Math.max(all, heldHeat);
    this.trackedHeat = trackedShare * all;
    this.untold = tracker.untoldAccesses();
    this.periodMillis = tracker.options().periodMillis();
    this.wholePeriod = tracker.hasWholePeriod();
    this.restored = tracker.isRestored();
    this.tracker = tracker;
  }

  /** Number of keys that it has. */
  public int size() {
    return size;
  }

  /** How many tracked keys each of its keys stands for, at least 1. */
  public int weight() {
    return weight;
  }

  /** Whether it has some of the tracked keys only. */
  public boolean isSample() {
    return weight > 1;
  }

  /** Number of tracked keys, about. */
  public long keys() {
    return (long) size * weight;
  }

  /** Id of the key at a position: the upper 38 bits of that under which it was recorded. */
  public long keyIdAt(int position) {
    return HeatKey.idOf(keys[position]);
  }

  /** Heat (aged accesses) of the key at a position; greater than 0. */
  public double heatAt(int position) {
    return HeatEntry.heat(entries[position]) / (double) HeatEntry.UNIT;
  }

  /** Reported size in bytes of the key at a position, to 6 %; 0 when none was reported. */
  public long sizeBytesAt(int position) {
    return HeatEntry.size(entries[position]);
  }

  /** Accesses in the newest completed period; above 8 about. */
  public int lastPeriodAccessesAt(int position) {
    return HeatEntry.last(entries[position]);
  }

  /** Accesses so far in the running period; above 8 about. */
  public int runningPeriodAccessesAt(int position) {
    return HeatEntry.running(entries[position]);
  }

  /** Everything about the key at a position. */
  public KeyHeat at(int position) {
    return new KeyHeat(
        keyIdAt(position),
        heatAt(position),
        sizeBytesAt(position),
        lastPeriodAccessesAt(position),
        runningPeriodAccessesAt(position));
  }

  /** Calls back for every key that it has, in no particular order. */
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
    double[] sorted = new double[size];
    for (int i = 0; i < size; i++) {
      sorted[i] = -heatAt(i);
    }
    Arrays.sort(sorted);
    double[] sums = new double[size + 1];
    for (int i = 0; i < size; i++) {
      sums[i + 1] = sums[i] - weight * sorted[i];
    }
    double[] shares = new double[percents.length];
    for (int i = 0; i < percents.length; i++) {
      int hottest = (int) Math.round(Math.max(0, Math.min(100, percents[i])) / 100 * size);
      double sum = hottest == 0 ? 0 : sums[hottest] + missedHeat();
      shares[i] = totalHeat > 0 ? Math.max(0, Math.min(1, sum / totalHeat)) : 0;
    }
    return shares;
  }

  /**
   * What a sample has too little of the heat of tracked keys, or, below 0, too much: of the few
   * hottest keys it has one or none (the correction of SHARDS: Waldspurger, Park, Garthwaite,
   * Ahmad, FAST 2015).
   */
  public double missedHeat() {
    return isSample() ? trackedHeat - weight * heldHeat : 0;
  }

  /** Heat of all recorded accesses, of tracked keys and of those that had to leave. */
  public double totalHeat() {
    return totalHeat;
  }

  /** Accesses recorded since the tracker began, unaged. */
  public long totalAccesses() {
    return totals.accesses();
  }

  /** Accesses in the newest completed period and so far in the running one. */
  public long newerAccesses() {
    return newerAccesses;
  }

  /** Mean of the sizes reported (recent ones weigh more), in bytes; 0 when none was. */
  public double meanSizeBytes() {
    return totals.sizeCount() > 0 ? totals.sizeSum() / totals.sizeCount() : 0;
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
    long accesses = totals.accesses() - untold;
    return restored || (wholePeriod && accesses > 0 && accesses >= 2 * keys());
  }

  /** Whether a key was hot before: of a sample as it was judged last, else by a hot set. */
  public boolean wasHot(int position, HotSet before) {
    return isSample()
        ? HeatEntry.isHot(entries[position])
        : before.temperatureOf(keyIdAt(position)) == Temperature.HOT;
  }

  public long keyAt(int position) {
    return keys[position];
  }

  public long entryAt(int position) {
    return entries[position];
  }

  public HeatTracker tracker() {
    return tracker;
  }

  /** Gathers one snapshot; not thread-safe. */
  static final class Collector implements HeatTable.Visitor {
    private final int weight;
    private long[] keys;
    private long[] entries;
    private int size;
    private double heat;

    Collector(int expectedKeys, int weight) {
      this.weight = weight;
      int room = expectedKeys + expectedKeys / 64 + 16;
      keys = new long[room];
      entries = new long[room];
    }

    @Override
    public long visit(long key, long entry) {
      if (size == keys.length) {
        int room = size + size / 2;
        keys = Arrays.copyOf(keys, room);
        entries = Arrays.copyOf(entries, room);
      }
      keys[size] = key;
      entries[size] = entry;
      heat += HeatEntry.heat(entry);
      size++;
      return entry;
    }
  }
}
