/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;

/**
 * Hot is what was accessed at least n times in the newest completed period, or already in the
 * running one; all else is cold, and unknown before the tracker has seen one whole period. This is
 * the rule of Kamoshita, Kawashima and Matsuo (2016), who used periods of 10 s and n = 1.
 */
public final class WindowPolicy implements HeatPolicy {
  /** Largest n. The tracker counts a key's accesses in one period to about a tenth of that. */
  public static final int MAX_MIN_ACCESSES = 1_000_000;

  private final int minAccesses;

  /**
   * A policy.
   *
   * @param minAccesses n, 1 to {@value #MAX_MIN_ACCESSES}
   */
  public WindowPolicy(int minAccesses) {
    if (minAccesses < 1 || minAccesses > MAX_MIN_ACCESSES) {
      throw new IllegalArgumentException(
          "minAccesses is "
              + minAccesses
              + ", but must be 1 to "
              + MAX_MIN_ACCESSES
              + " accesses per period: set it within that range or leave it out for the default 1");
    }
    this.minAccesses = minAccesses;
  }

  @Override
  public HotSet select(HeatSnapshot heat) {
    int least = Math.min(minAccesses, HeatTracker.MAX_PERIOD_ACCESSES);
    HotSetBuilder hot = new HotSetBuilder(heat, Math.round(heat.meanSizeBytes()));
    for (int i = 0; i < heat.size(); i++) {
      if (heat.lastPeriodAccessesAt(i) >= least || heat.runningPeriodAccessesAt(i) >= least) {
        hot.add(i);
      }
    }
    return hot.buildByAccesses(
        least, heat.wholePeriodObserved() ? Temperature.COLD : Temperature.UNKNOWN);
  }

  @Override
  public String name() {
    return "window";
  }
}
