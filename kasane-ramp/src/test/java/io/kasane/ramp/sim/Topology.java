/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

/**
 * Where the replicas are; each holds all keys.
 *
 * @param centres how many data centres
 * @param replicas how many in each
 */
record Topology(int centres, int replicas) {
  int nodes() {
    return centres * replicas;
  }

  int centreOf(int node) {
    return node / replicas;
  }

  int quorum() {
    return replicas / 2 + 1;
  }
}
