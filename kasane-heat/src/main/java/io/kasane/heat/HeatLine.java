/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.OptionalLong;

/**
 * Hot is what ranks at least as high as one key, unknown what ranks as high as another.
 *
 * @param hot the last hot key's
 * @param kept the last key's that stays where it is
 * @param unknownSizeBytes of keys whose size was never reported; without it heat is the rank, else
 *     heat per byte
 * @param others what is colder
 */
record HeatLine(Rank hot, Rank kept, OptionalLong unknownSizeBytes, Temperature others)
    implements HeatJudge {

  /**
   * A place in the order of all keys.
   *
   * @param heat or heat per byte
   * @param tie among keys of the same heat, the lesser first
   */
  record Rank(float heat, int tie) {
    /** Before all keys. */
    static final Rank FIRST = new Rank(Float.POSITIVE_INFINITY, 0);

    boolean isAtLeast(Rank other) {
      return heat > other.heat || (heat == other.heat && tie <= other.tie);
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
      Temperature others) {
    HeatLine none = new HeatLine(Rank.FIRST, Rank.FIRST, unknownSizeBytes, others);
    return new HeatLine(
        lastHot < 0 ? Rank.FIRST : none.rank(heat.keyAt(lastHot), heat.entryAt(lastHot)),
        lastKept < 0 ? Rank.FIRST : none.rank(heat.keyAt(lastKept), heat.entryAt(lastKept)),
        unknownSizeBytes,
        others);
  }

  private Rank rank(long key, long entry) {
    float rank =
        unknownSizeBytes.isPresent()
            ? HeatRanking.heatPerByte(entry, unknownSizeBytes.getAsLong(), HeatEntry.isHot(entry))
            : HeatEntry.heatCode(entry);
    return new Rank(rank, HeatRanking.tieBreak(key));
  }

  @Override
  public Temperature judge(long key, long entry) {
    Rank rank = rank(key, entry);
    if (rank.isAtLeast(hot)) {
      return Temperature.HOT;
    }
    return rank.isAtLeast(kept) ? Temperature.UNKNOWN : others;
  }
}
