/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

import io.kasane.heat.key.HeatKey;
import io.kasane.heat.table.HeatEntry;

/** Says of a tracked key, by what is known of it, whether it is hot. Immutable. */
public interface HeatJudge {
  /** Knows nothing. */
  HeatJudge NOBODY =
      new HeatJudge() {
        @Override
        public Temperature judge(long key, long entry, double heatNow) {
          return Temperature.UNKNOWN;
        }

        @Override
        public Temperature others() {
          return Temperature.UNKNOWN;
        }
      };

  /**
   * The temperature of a key.
   *
   * @param key as in {@link HeatKey}
   * @param entry as in {@link HeatEntry}; marked if the key was hot when it was judged last
   * @param heatNow of all accesses, aged as the entry's is
   */
  Temperature judge(long key, long entry, double heatNow);

  /** The temperature of keys that are not tracked. */
  Temperature others();

  /** The entry, marked by what is judged of it. */
  default long marked(long key, long entry, double heatNow) {
    return HeatEntry.marked(entry, judge(key, entry, heatNow) == Temperature.HOT);
  }
}
