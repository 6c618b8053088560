/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatSnapshot;

/**
 * A policy that calls every key unknown. Rows of unknown heat stay where they are, so no row moves.
 */
public final class NoOpPolicy implements HeatPolicy {
  @Override
  public HotSet select(HeatSnapshot heat) {
    return HotSet.unknown();
  }

  @Override
  public String name() {
    return "unknown";
  }
}
