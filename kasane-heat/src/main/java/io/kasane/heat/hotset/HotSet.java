/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatSnapshot;

/**
 * An answer to "what is hot?", drawn by a {@link HeatPolicy} from one {@link HeatSnapshot}. Of few
 * keys it is a list of them. Of many it is a line, and what is known of a key when it is asked for
 * tells on which side it is. Safe to share between threads; a lookup takes constant time.
 */
public interface HotSet {

  /** The temperature of a key, known to the tracker or not. Never null. */
  Temperature temperatureOf(long keyId);

  /** The temperature of keys that nobody has accessed. */
  Temperature others();

  /** How many keys are hot. */
  long hotKeys();

  /** Bytes of all hot keys: the reported size of each, the mean size where none was reported. */
  long hotBytes();

  /** Share of the recorded heat that falls on hot keys, 0 to 1; 0 when nothing was recorded. */
  double accessShare();

  /**
   * The heat that a key needs to be hot: one that is not hot but has more by now belongs in the
   * next answer. Where hot keys are those with the most heat per byte, a large key needs more.
   * Infinite where that says nothing: no key is hot, or they were chosen by something else.
   *
   * @param sizeBytes of the key; 0 if it was never reported
   */
  default double leastHeat(long sizeBytes) {
    return Double.POSITIVE_INFINITY;
  }

  /** The answer of someone who has seen nothing: every key is {@link Temperature#UNKNOWN}. */
  static HotSet unknown() {
    return KeyHotSet.UNKNOWN;
  }
}
