/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.List;

/** Draws everything that is left to chance, from one seed: SplitMix64. Single-threaded. */
final class Chance {
  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  Chance(long seed) {
    this.state = mix(seed + GAMMA);
  }

  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
    return b ^ (b >>> 31);
  }

  long nextLong() {
    state += GAMMA;
    return mix(state);
  }

  /** From 0 on, below the bound. */
  int below(int bound) {
    return (int) ((nextLong() >>> 33) % bound);
  }

  /** From the one to the other, both included. */
  long between(long from, long to) {
    return from + (nextLong() >>> 1) % (to - from + 1);
  }

  boolean happens(double probability) {
    return probability > 0 && (nextLong() >>> 11) * 0x1.0p-53 < probability;
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }
}
