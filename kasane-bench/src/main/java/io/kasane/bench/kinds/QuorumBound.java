/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.kinds;

import java.util.List;

/**
 * The most that nodes sustain which have a replica of each row each, with reads and writes at
 * {@code QUORUM} of three, however reads are steered (docs/design/kinds.md). A node that is down
 * makes nothing.
 */
final class QuorumBound {
  private static final double QUORUM = 2;
  private static final int STEPS = 100;

  private QuorumBound() {}

  /**
   * Returns the bound, in operations a second.
   *
   * @param nodes those that are up, at least two
   * @param readShare of all operations, from 0 to 1
   */
  static double operationsPerSecond(List<KindCosts> nodes, double readShare) {
    double low = 0;
    double high =
        nodes.stream()
                .mapToDouble(node -> 1 / Math.min(node.readSeconds(), node.writeSeconds()))
                .max()
                .orElseThrow()
            * nodes.size();
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      if (isSustained(nodes, readShare, middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static boolean isSustained(List<KindCosts> nodes, double readShare, double load) {
    boolean allWritesAreMade =
        nodes.stream().allMatch(node -> (1 - readShare) * load * node.writeSeconds() <= 1);
    double reads = nodes.stream().mapToDouble(node -> node.readsItCanMake(load, readShare)).sum();
    return allWritesAreMade && (readShare == 0 || reads >= QUORUM);
  }
}
