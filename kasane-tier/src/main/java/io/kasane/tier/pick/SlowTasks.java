/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/** How many compactions of slow SSTables run, beside the one that is about to be chosen. */
public enum SlowTasks {
  /** None of this table. */
  NONE,
  /** At least one, and another may begin where nothing else is due. */
  SOME,
  /** As many as leave one compactor to the fast disk: {@link SlowSlots}. */
  ENOUGH
}
