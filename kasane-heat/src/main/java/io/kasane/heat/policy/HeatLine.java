/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HeatJudge;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.table.HeatEntry;
import io.kasane.heat.track.HeatRanking;
import io.kasane.heat.track.HeatSnapshot;
import java.util.OptionalLong;

/**
 * Hot is what ranks at least as high as one key, unknown what ranks as high as another. Heat grows
 * from one halving to the next: what is judged later is compared by its share of all heat.
 *
 * @param hot the last hot key's
 * @param kept the last key's that stays where it is
 * @param unknownSizeBytes of keys whose size was never reported; without it heat is the rank, else
 *     heat per byte
 * @param mostBytes larger keys find no room
 * @param heatThen of all accesses when the line was drawn
 * @param others what is colder
 */
record HeatLine(
    Rank hot,
    Rank kept,
    OptionalLong unknownSizeBytes,
    long mostBytes,
    double heatThen,
    Temperature others)
    implements HeatJudge {
  private static final double NEARLY = 0.1;

  /**
   * A place in the order of all keys.
   *
   * @param heat or heat per byte
   * @param tie among keys of the same heat, the lesser first
   */
  record Rank(float heat, int tie) {
    /** Before all keys. */
    static final Rank FIRST = new Rank(Float.POSITIVE_INFINITY, 0);

    /** Behind all keys. */
    static final Rank LAST = new Rank(0, Integer.MAX_VALUE);

    /** Whether a key of this heat ranks as high or higher; hardly ever is its tie looked at. */
    boolean isReachedBy(float otherHeat, long key) {
      return otherHeat > heat || (otherHeat == heat && HeatRanking.tieBreak(key) <= tie);
    }
  }

  /**
   * The line behind the last keys of a ranking.
   *
   * @param lastHot position; -1 if there is none
   * @param lastKept position; -1 if there is none
   */
  static HeatLine between(
      HeatSnapshot heat,
      int lastHot,
      int lastKept,
      OptionalLong unknownSizeBytes,
      long mostBytes,
      Temperature others) {
    return new HeatLine(
        lastHot < 0 ? Rank.FIRST : rank(heat, lastHot, unknownSizeBytes),
        lastKept < 0 ? Rank.FIRST : rank(heat, lastKept, unknownSizeBytes),
        unknownSizeBytes,
        mostBytes,
        heat.totalHeat(),
        others);
  }

  private static Rank rank(HeatSnapshot heat, int at, OptionalLong unknownSizeBytes) {
    return new Rank(
        heatOf(heat.entryAt(at), unknownSizeBytes, 1), HeatRanking.tieBreak(heat.keyAt(at)));
  }

  private static float heatOf(long entry, OptionalLong unknownSizeBytes, double scale) {
    return unknownSizeBytes.isPresent()
        ? HeatRanking.heatPerByte(
            entry, unknownSizeBytes.getAsLong(), HeatEntry.isHot(entry), scale)
        : (float) (scale * HeatEntry.heat(entry) / HeatEntry.UNIT);
  }

  @Override
  public Temperature judge(long key, long entry, double heatNow) {
    double growth = heatNow > 0 ? heatThen / heatNow : 1;
    // The many keys of one access are all of one rank: those on the line must not fall as a whole
    // with the next access of another.
    double scale = Math.abs(growth - 1) < NEARLY ? 1 : growth;
    float heat = heatOf(entry, unknownSizeBytes, scale);
    if (hot.isReachedBy(heat, key)) {
      return HeatEntry.size(entry) <= mostBytes ? Temperature.HOT : others;
    }
    return kept.isReachedBy(heat, key) ? Temperature.UNKNOWN : others;
  }
}
