/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.tier.place.HeatPlacement;
import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;

/** {@code promotion: by-rewriting}, for tests: SSTables are rewritten for their hot rows. */
public final class ByRewriting implements PlacementProvider {
  @Override
  public String option() {
    return "promotion";
  }

  @Override
  public String name() {
    return "by-rewriting";
  }

  @Override
  public boolean isByHeat() {
    return true;
  }

  @Override
  public Placement make() {
    return new HeatPlacement();
  }
}
