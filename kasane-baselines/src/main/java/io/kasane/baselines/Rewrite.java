/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.tier.place.HeatPlacement;
import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;

/**
 * {@code promotion: rewrite}: by heat, but no row is copied. Hot rows come to fast when their
 * SSTable is rewritten, because they cost more reads than that.
 */
public final class Rewrite implements PlacementProvider {
  @Override
  public String option() {
    return "promotion";
  }

  @Override
  public String name() {
    return "rewrite";
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
