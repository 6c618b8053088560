/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.bench.load.KeyLaw;
import io.kasane.bench.load.Mix;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The most operations a second that a slow disk with one head allows, whoever places the rows. The
 * hottest rows fill the fast disk to its last byte, and the next hottest ones, a block each, memory
 * for files; each read of another row is one request to the slow disk; writing and merging cost it
 * nothing. Nothing is learnt: the law itself says which rows are hot. A processor may be a lower
 * limit, which is what {@code all-fast} shows.
 */
final class Limit {
  private static final int DRAWS = 200_000;

  /** In the last third of a trial, which is what is compared with it. */
  private static final double PROGRESS = 5.0 / 6;

  /** What is read of the disk for one row. */
  static final long BLOCK_BYTES = 16 << 10;

  private Limit() {}

  /**
   * The limit in the last third of a run; infinite if no read needs the slow disk.
   *
   * @param inFront how many rows lie on fast or in memory
   * @param requestNanos how long one request takes
   */
  static double operationsPerSecond(KeyLaw law, Mix mix, int inFront, double requestNanos) {
    double share = mix.readShare(PROGRESS) * slowShare(law, inFront);
    return 1e9 / (share * requestNanos);
  }

  private static double slowShare(KeyLaw law, int inFront) {
    BitSet served = new BitSet();
    Arrays.stream(law.hottest(inFront, PROGRESS)).forEach(served::set);
    int missed = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      missed += served.get(law.next(PROGRESS)) ? 0 : 1;
    }
    return missed / (double) DRAWS;
  }
}
