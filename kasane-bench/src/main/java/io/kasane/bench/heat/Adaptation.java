/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Hits;

/** How soon a hot set is found that changed at once. */
final class Adaptation {
  /** Share of the hit share from before the change that counts as found. */
  static final double FOUND = 0.9;

  private static final int WINDOWS_BEFORE = 10;

  private Adaptation() {}

  /**
   * Returns the accesses from the change until the hit share of the last {@code window} accesses,
   * all of them after the change, is 90 % of what it was in the ten windows before; null if it
   * never is. At least {@code window}: that is how long it takes to see.
   *
   * @param changedAt place of the first access to the new hot set
   */
  static Integer accesses(Hits hits, int changedAt, int window) {
    double wanted = FOUND * hits.share(Math.max(0, changedAt - WINDOWS_BEFORE * window), changedAt);
    int inWindow = 0;
    for (int end = changedAt; end < hits.accesses(); end++) {
      inWindow += hits.at().get(end) ? 1 : 0;
      int left = end - window;
      inWindow -= left >= changedAt && hits.at().get(left) ? 1 : 0;
      int seen = end + 1 - changedAt;
      if (seen >= window && inWindow >= wanted * window) {
        return seen;
      }
    }
    return null;
  }
}
