/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import io.kasane.heat.HeatPolicy;
import io.kasane.heat.HeatTracker;
import io.kasane.heat.HotSet;
import io.kasane.heat.Temperature;
import java.util.HashSet;
import java.util.Set;

/**
 * Replays a trace as a node would live through it: a hot set is chosen every so many accesses from
 * what was seen so far, and the accesses that follow count as hits when their key is in it. Before
 * the first choice nothing is hot.
 */
public final class Replay {
  private Replay() {}

  /**
   * Share of accesses that hit the hot set of a tracker and a policy, 0 to 1.
   *
   * @param tracker a new tracker; {@link HeatTracker#advance()} is called before each choice, so
   *     its clock should stand for the trace's time, if there is one
   * @param selectEvery accesses between two choices, at least 1
   */
  public static double hitShare(
      Trace trace, HeatTracker tracker, HeatPolicy policy, int selectEvery) {
    HotSet hot = HotSet.unknown();
    long hits = 0;
    for (int i = 0; i < trace.length(); i++) {
      if (i > 0 && i % selectEvery == 0) {
        tracker.advance();
        hot = policy.select(tracker.snapshot());
      }
      int key = trace.keyAt(i);
      if (hot.temperatureOf(key) == Temperature.HOT) {
        hits++;
      }
      tracker.record(key);
    }
    return hits / (double) trace.length();
  }

  /** The same with the {@code budgetKeys} hottest keys by exact counts of all accesses so far. */
  public static double oracleHitShare(Trace trace, int budgetKeys, int selectEvery) {
    Oracle oracle = new Oracle();
    Set<Integer> hot = new HashSet<>();
    long hits = 0;
    for (int i = 0; i < trace.length(); i++) {
      if (i > 0 && i % selectEvery == 0) {
        hot = oracle.hottest(budgetKeys);
      }
      int key = trace.keyAt(i);
      if (hot.contains(key)) {
        hits++;
      }
      oracle.record(key);
    }
    return hits / (double) trace.length();
  }

  /** The share that the hottest keys of the whole trace receive: no fixed set can hit more. */
  public static double staticHitShare(Trace trace, int budgetKeys) {
    Oracle oracle = new Oracle();
    for (int i = 0; i < trace.length(); i++) {
      oracle.record(trace.keyAt(i));
    }
    return oracle.accessesToHottest(budgetKeys) / (double) trace.length();
  }
}
