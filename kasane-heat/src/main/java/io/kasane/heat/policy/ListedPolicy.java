/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.track.HeatSnapshot;

/**
 * Hot is what a list says, cold everything else, whatever was accessed: for keys whose heat is
 * known beforehand, and as the perfect placement that others are measured against.
 */
public final class ListedPolicy implements HeatPolicy {
  private final long[] keyIds;

  /**
   * A policy.
   *
   * @param keyIds the hot keys, each once
   */
  public ListedPolicy(long[] keyIds) {
    this.keyIds = keyIds.clone();
  }

  @Override
  public HotSet select(HeatSnapshot heat) {
    return HotSetBuilder.listed(keyIds, heat);
  }

  @Override
  public String name() {
    return "listed";
  }
}
