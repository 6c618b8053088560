/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatSnapshot;

/** Knows nothing, so that nothing moves. */
public final class UnknownPolicy implements HeatPolicy {
  @Override
  public HotSet select(HeatSnapshot heat) {
    return HotSet.unknown();
  }

  @Override
  public String name() {
    return "unknown";
  }
}
