/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import java.util.List;

/**
 * How far a replica is behind: what waits in its queue of mutations, over what it has made of it
 * lately. For one thread.
 */
final class LagWatch {
  private List<long[]> before;
  private double maxSeconds;

  /**
   * Takes a sample.
   *
   * @param mutations of each node, how many wait and how many were made so far
   * @param seconds since the sample before
   */
  void sample(List<long[]> mutations, double seconds) {
    if (before != null) {
      for (int node = 0; node < mutations.size(); node++) {
        long waiting = mutations.get(node)[0];
        double made = (mutations.get(node)[1] - before.get(node)[1]) / seconds;
        // One that makes nothing is behind by the time that was watched, at least.
        double behind = waiting == 0 ? 0 : made > 0 ? waiting / made : seconds;
        maxSeconds = Math.max(maxSeconds, behind);
      }
    }
    before = mutations;
  }

  double maxSeconds() {
    return maxSeconds;
  }
}
