/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.Arrays;

/** How many gets needed how many rounds. */
final class Rounds {
  private static final int MOST = 16;

  private final long[] during = new long[MOST + 1];
  private final long[] afterwards = new long[MOST + 1];

  void add(int rounds, boolean afterFaults) {
    (afterFaults ? afterwards : during)[Math.min(rounds, MOST)]++;
  }

  void add(Rounds other) {
    for (int i = 0; i <= MOST; i++) {
      during[i] += other.during[i];
      afterwards[i] += other.afterwards[i];
    }
  }

  @Override
  public String toString() {
    return "during faults " + Arrays.toString(during) + ", after " + Arrays.toString(afterwards);
  }
}
