/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import java.util.Set;

/**
 * How network, replicas and clocks behave in one schedule, until its faults end.
 *
 * @param topology where the replicas are
 * @param loss how often a message is lost
 * @param drops how often a replica drops a mutation, as one that is overloaded does
 * @param duplicates how often a mutation arrives a second time, later
 * @param slow how often a message takes up to {@code slowMicros}
 * @param slowMicros how long a slow message takes at most
 * @param hints how often a mutation that a replica missed is kept for it
 * @param hintMicros how long a hint takes at most
 * @param firstRoundAtQuorum whether the first round reads a quorum, instead of one replica
 * @param misses how often a weak read answers that it cannot say
 * @param unsynced whether a crash loses what was written since the last sync
 * @param stale whether replicas are replaced from one other, or restored from an older snapshot
 * @param nodeFaults how many crashes, cuts and the like
 * @param clientCrashes how many clients are killed
 * @param skewMicros how far clocks of clients are off at most
 * @param tickMicros the granularity of wall clocks
 * @param off rules of the store that are not kept
 */
record Climate(
    Topology topology,
    double loss,
    double drops,
    double duplicates,
    double slow,
    long slowMicros,
    double hints,
    long hintMicros,
    boolean firstRoundAtQuorum,
    double misses,
    boolean unsynced,
    boolean stale,
    int nodeFaults,
    int clientCrashes,
    long skewMicros,
    long tickMicros,
    Set<StoreRule> off) {
  /** Whether a quorum of replicas may lose what it acknowledged. */
  boolean mayLose() {
    return unsynced || stale;
  }

  boolean keeps(StoreRule rule) {
    return !off.contains(rule);
  }
}
