/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

/** What users have: hot rows to fast, cold rows to slow, unknown ones stay (TIER section 3). */
public final class HeatProvider implements PlacementProvider {
  public static final PlacementProvider HEAT = new HeatProvider();

  private HeatProvider() {}

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
