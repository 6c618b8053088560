/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/** How many compactions on the slow disk run already when the next one is chosen. */
public enum SlowTierLoad {
  /** None of this table. */
  NONE,
  /** At least one, and another may begin where nothing else is due. */
  SOME,
  /** As many as leave one compactor to the fast disk: {@link SlowTierSlots}. */
  ENOUGH
}
