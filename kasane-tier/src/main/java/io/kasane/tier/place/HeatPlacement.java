/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

import io.kasane.copies.sstables.Tier;

/**
 * Hot rows to fast, cold rows to slow. A row of unknown heat stays where it is: without that rule a
 * restart would demote everything.
 */
public final class HeatPlacement implements Placement {
  @Override
  public Run begin(Situation situation) {
    return keyId ->
        switch (situation.hotSet().temperatureOf(keyId)) {
          case HOT -> Tier.FAST;
          case COLD -> Tier.SLOW;
          case UNKNOWN -> situation.rowIsAmongHot().getAsBoolean() ? Tier.FAST : Tier.SLOW;
        };
  }
}
