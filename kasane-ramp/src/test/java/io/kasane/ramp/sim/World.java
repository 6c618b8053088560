/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What all parts of one schedule share.
 *
 * @param loop virtual time
 * @param chance everything that is drawn
 * @param climate how network and replicas behave
 * @param workload what clients do
 * @param cluster the replicas
 * @param ledger what clients did
 * @param trace what happened, in words
 * @param findings what must not be and no history shows
 * @param rounds how many gets needed so many rounds
 * @param rules those that clients keep
 * @param clears whether what dead clients left is cleared meanwhile
 */
record World(
    EventLoop loop,
    Chance chance,
    Climate climate,
    Workload workload,
    Cluster cluster,
    Ledger ledger,
    Trace trace,
    List<String> findings,
    Rounds rounds,
    Set<Rule> rules,
    boolean clears) {
  static World of(long seed, Scenario scenario, boolean traced) {
    EventLoop loop = new EventLoop();
    Chance chance = new Chance(seed);
    Drawing drawing = new Drawing(chance);
    Climate climate = scenario.climate().apply(drawing.climate(scenario.storeRulesOff()), chance);
    Workload workload = scenario.workload().apply(drawing.workload(climate), chance);
    Trace trace = new Trace(traced);
    List<String> findings = new ArrayList<>();
    Cluster cluster = new Cluster(loop, chance, climate, trace);
    if (scenario.arenas()) {
      cluster.openArenas(findings);
    }
    return new World(
        loop,
        chance,
        climate,
        workload,
        cluster,
        new Ledger(loop, workload.universe()),
        trace,
        findings,
        new Rounds(),
        scenario.rules(),
        scenario.clears());
  }

  /** Whether no two clocks are further apart than clients allow. */
  boolean clocksAreWithinDrift() {
    return climate.skewMicros() * 2 <= workload.maxClockDrift().toNanos() / 1_000;
  }

  void say(Supplier<String> line) {
    trace.add(loop, line);
  }
}
