/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.arena;

/**
 * About how often keys were read lately, in little memory: a count-min sketch whose counts are
 * halved now and then (Einziger et al., TinyLFU, 2017). Threads may count at once; what they lose
 * of each other's counts does not matter.
 */
final class ReadCounts {
  private static final int ROWS = 4;

  /** Far more keys are read than have room: with fewer counts they are taken for each other. */
  private static final int COUNTS_PER_KEY = 8;

  private static final int MOST = 1 << 24;

  /** Halved when so many reads a key of the arena have come: of them one in hundreds is seen. */
  private static final int SAMPLES_PER_KEY = 100;

  private final int[] counts;
  private final int mask;
  private final long samplesPerAge;
  private long samples;

  /**
   * Counts for a number of keys.
   *
   * @param keys how many are worth telling apart
   */
  ReadCounts(int keys) {
    int width =
        (int)
            Long.highestOneBit(
                Math.max(64, Math.min(1 << 26, keys * (long) COUNTS_PER_KEY)) * 2 - 1);
    this.counts = new int[width];
    this.mask = width - 1;
    this.samplesPerAge = (long) SAMPLES_PER_KEY * keys;
  }

  /** Counts reads of a key. */
  void add(long hash, int reads) {
    for (int row = 0; row < ROWS; row++) {
      int at = at(hash, row);
      counts[at] = Math.min(MOST, counts[at] + reads);
    }
    samples += reads;
    if (samples > samplesPerAge) {
      age();
    }
  }

  private synchronized void age() {
    if (samples > samplesPerAge) {
      for (int i = 0; i < counts.length; i++) {
        counts[i] >>>= 1;
      }
      samples >>>= 1;
    }
  }

  /** Returns how often it was read, or more. */
  int of(long hash) {
    int least = Integer.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, counts[at(hash, row)]);
    }
    return least;
  }

  private int at(long hash, int row) {
    long mixed = (hash + row * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return (int) (mixed >>> 32) & mask;
  }
}
