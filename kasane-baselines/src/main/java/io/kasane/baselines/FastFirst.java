/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;

/** {@code placement: fast-first}: every row to fast while it has room; the paper's "SSD first". */
public final class FastFirst implements PlacementProvider {
  @Override
  public String name() {
    return "fast-first";
  }

  @Override
  public Placement make() {
    return new FastFirstPlacement();
  }
}
