/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import java.util.BitSet;

/**
 * Which accesses of a trace fell on keys that were hot at that time.
 *
 * @param at places in the trace of those that did
 * @param accesses length of the trace
 * @param meanHotKeys keys in a hot set, mean of all choices; 0 when there was none
 */
public record Hits(BitSet at, int accesses, double meanHotKeys) {

  /** Share of all accesses, 0 to 1. */
  public double share() {
    return share(0, accesses);
  }

  /** Share of the accesses from one place, inclusive, to another, exclusive. */
  public double share(int from, int to) {
    int hits = 0;
    for (int i = at.nextSetBit(from); i >= 0 && i < to; i = at.nextSetBit(i + 1)) {
      hits++;
    }
    return hits / (double) (to - from);
  }
}
