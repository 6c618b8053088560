/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

/**
 * The default placement, the only one for users: hot rows go to fast, cold rows to slow, rows of
 * unknown heat stay (TIER section 3).
 */
public final class HeatPlacementProvider implements PlacementProvider {
  public static final PlacementProvider HEAT = new HeatPlacementProvider();

  private HeatPlacementProvider() {}

  @Override
  public String name() {
    return "heat";
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
