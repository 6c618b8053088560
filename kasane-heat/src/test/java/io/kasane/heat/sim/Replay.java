/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import java.util.BitSet;
import java.util.Set;

/**
 * Replays a trace as a node would live through it: a hot set is chosen every so many accesses from
 * what was seen so far, and the accesses that follow count as hits when their key is in it. Before
 * the first choice nothing is hot.
 */
public final class Replay {
  private Replay() {}

  /**
   * Accesses that hit the sets of a chooser.
   *
   * @param chooser a new one
   * @param chooseEvery accesses between two choices, at least 1
   */
  public static Hits run(Trace trace, Chooser chooser, int chooseEvery) {
    BitSet hits = new BitSet(trace.length());
    long hotKeys = 0;
    int choices = 0;
    for (int i = 0; i < trace.length(); i++) {
      if (i > 0 && i % chooseEvery == 0) {
        chooser.choose();
        hotKeys += chooser.hotKeys();
        choices++;
      }
      int key = trace.keyAt(i);
      if (chooser.isHot(key)) {
        hits.set(i);
      }
      chooser.record(key);
    }
    return new Hits(hits, trace.length(), choices == 0 ? 0 : hotKeys / (double) choices);
  }

  /**
   * Accesses that hit the best set of each phase, known before it begins: a ceiling, since no set
   * that stays for a phase can hit more.
   *
   * @param phases parts of equal length between which the hot keys change; 1 when they never do
   */
  public static Hits clairvoyant(Trace trace, int budgetKeys, int phases) {
    BitSet hits = new BitSet(trace.length());
    double hotKeys = 0;
    for (int phase = 0; phase < phases; phase++) {
      int from = trace.beginOf(phase, phases);
      int to = trace.beginOf(phase + 1, phases);
      Oracle oracle = new Oracle();
      for (int i = from; i < to; i++) {
        oracle.record(trace.keyAt(i));
      }
      Set<Integer> best = oracle.hottest(budgetKeys);
      hotKeys += best.size();
      for (int i = from; i < to; i++) {
        if (best.contains(trace.keyAt(i))) {
          hits.set(i);
        }
      }
    }
    return new Hits(hits, trace.length(), hotKeys / phases);
  }
}
