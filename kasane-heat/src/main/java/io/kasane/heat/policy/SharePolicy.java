/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatRanking;
import io.kasane.heat.track.HeatSnapshot;
import java.util.function.DoubleSupplier;

/**
 * Hot are the hottest keys that together receive share k of all heat, the key that crosses the line
 * included: the rule of Kawanami, Kawashima and Matsuo, who used k = 0.3 and 0.5 (and counts since
 * the last flush, where this takes aged counts). The others are cold once the snapshot is {@link
 * HeatSnapshot#warm()}, unknown before. "All heat" includes keys that had to leave a full tracker:
 * if the tracked keys together stay below k, all of them are hot.
 */
public final class SharePolicy implements HeatPolicy {
  private final DoubleSupplier share;

  /**
   * A policy.
   *
   * @param share k, 0 (nothing is hot) to 1
   */
  public SharePolicy(double share) {
    this(() -> share);
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share is "
              + share
              + ", but must be at least 0 and at most 1 (share of all accesses):"
              + " set it within that range, for example 0.5");
    }
  }

  /**
   * A policy whose k may change.
   *
   * @param share k, 0 to 1; asked at each selection
   */
  public SharePolicy(DoubleSupplier share) {
    this.share = share;
  }

  @Override
  public HotSet select(HeatSnapshot heat) {
    HotSetBuilder hot = new HotSetBuilder(heat, Math.round(heat.meanSizeBytes()));
    double wanted = share.getAsDouble() * heat.totalHeat();
    double sum = Math.max(0, heat.missedHeat());
    HeatRanking ranking = HeatRanking.byHeat(heat);
    boolean isFirst = true;
    while (sum < wanted || (isFirst && wanted > 0)) {
      int at = ranking.next();
      if (at < 0) {
        break;
      }
      isFirst = false;
      hot.add(at);
      sum += heat.weight() * heat.heatAt(at);
    }
    return hot.build(heat.warm() ? Temperature.COLD : Temperature.UNKNOWN);
  }

  @Override
  public String name() {
    return "share";
  }
}
