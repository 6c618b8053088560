/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.List;

/** Counts who acknowledged a write, by data centre. */
final class Acknowledgements {
  private final int[] needed;
  private final int[] seen;
  private boolean done;

  Acknowledgements(Topology topology, Cluster.WriteLevel level, int localCentre) {
    needed = new int[topology.centres()];
    seen = new int[topology.centres()];
    for (int centre = 0; centre < needed.length; centre++) {
      needed[centre] =
          switch (level) {
            case EACH_QUORUM -> topology.quorum();
            case LOCAL_QUORUM -> centre == localCentre ? topology.quorum() : 0;
            case ONE -> centre == localCentre ? 1 : 0;
          };
    }
  }

  boolean canBeMetBy(List<Node> nodes) {
    int[] up = new int[needed.length];
    for (Node node : nodes) {
      if (node.seemsUp()) {
        up[node.centre]++;
      }
    }
    for (int centre = 0; centre < needed.length; centre++) {
      if (up[centre] < needed[centre]) {
        return false;
      }
    }
    return true;
  }

  /** Whether this one is the last that was waited for. */
  boolean add(Node replica) {
    seen[replica.centre]++;
    if (done) {
      return false;
    }
    for (int centre = 0; centre < needed.length; centre++) {
      if (seen[centre] < needed[centre]) {
        return false;
      }
    }
    done = true;
    return true;
  }
}
