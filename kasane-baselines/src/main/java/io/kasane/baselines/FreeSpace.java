/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;

/** {@code placement: free-space}: a whole SSTable by the free bytes of each disk, as stock does. */
public final class FreeSpace implements PlacementProvider {
  @Override
  public String name() {
    return "free-space";
  }

  @Override
  public Placement make() {
    return new FreeSpacePlacement();
  }
}
