/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.place.Placement;
import io.kasane.tier.place.PlacementProvider;

/** {@code placement: all-on-fast}, for tests: every row to fast while it has room. */
public final class AllOnFast implements PlacementProvider {
  static final String NAME = "all-on-fast";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement make() {
    return situation -> keyId -> Tier.FAST;
  }
}
