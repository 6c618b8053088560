/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Hits;
import io.kasane.heat.sim.OracleChooser;
import io.kasane.heat.sim.Replay;
import io.kasane.heat.sim.Trace;
import java.util.HashSet;
import java.util.Set;

/**
 * A source and a budget, and what the oracles make of them.
 *
 * @param budgetShare keys that may be hot, as a share of the keys that the trace accesses
 * @param budgetKeys the same as a number
 * @param chooseEvery accesses from one hot set to the next
 * @param seed of trackers
 * @param online hits with exact, unaged counts of the accesses so far
 * @param clairvoyant hits with the best set of each phase, known beforehand
 */
record HeatCell(
    Source source,
    Trace trace,
    double budgetShare,
    int budgetKeys,
    int chooseEvery,
    long seed,
    Hits online,
    Hits clairvoyant) {

  /** Replays the trace with the oracles. */
  static HeatCell of(Source source, Trace trace, double budgetShare, long seed) {
    int budgetKeys = Math.max(1, (int) (trace.distinctKeys() * budgetShare));
    int chooseEvery = Math.max(1, trace.length() / source.choices());
    return new HeatCell(
        source,
        trace,
        budgetShare,
        budgetKeys,
        chooseEvery,
        seed,
        Replay.run(trace, new OracleChooser(budgetKeys), chooseEvery),
        Replay.clairvoyant(trace, budgetKeys, source.phases()));
  }

  /** How many accesses, from the first, it takes to touch as many keys as the budget. */
  int accessesThatTouchTheBudget() {
    Set<Integer> touched = new HashSet<>();
    int accesses = 0;
    while (touched.size() < budgetKeys) {
      touched.add(trace.keyAt(accesses++));
    }
    return accesses;
  }
}
