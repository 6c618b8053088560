/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.place.Placement;

/** Every row to fast; the quota sends on to slow what does not fit. */
final class FastFirstPlacement implements Placement {
  @Override
  public Run begin(Situation situation) {
    return keyId -> Tier.FAST;
  }
}
