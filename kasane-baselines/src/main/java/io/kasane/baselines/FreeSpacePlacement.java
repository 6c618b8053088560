/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.copies.sstables.Tier;
import io.kasane.tier.place.Placement;

/**
 * The whole output to one disk, drawn with probability free bytes of the disk / free bytes of all
 * disks (TIER equation 1).
 */
final class FreeSpacePlacement implements Placement {
  @Override
  public Run begin(Situation situation) {
    double fast = Math.max(0, situation.fastRoomBytes());
    double slow = Math.max(0, situation.slowFreeBytes());
    boolean toFast = fast > 0 && situation.random().getAsDouble() * (fast + slow) < fast;
    Tier tier = toFast ? Tier.FAST : Tier.SLOW;
    return keyId -> tier;
  }
}
