/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.place;

/**
 * A way to place rows, and the value of a table option that chooses it. There is {@link
 * HeatPlacementProvider#HEAT}; others are baselines that experiments put on a node's class path,
 * found with {@link java.util.ServiceLoader}. One instance is one baseline: options are compared by
 * it.
 */
public interface PlacementProvider {
  /** The option whose value {@link #name} is: {@code placement} or {@code promotion}. */
  default String option() {
    return "placement";
  }

  /** The value, in small letters with hyphens. */
  String name();

  /** Whether rows go where heat says, so that an SSTable may be rewritten for its hot rows. */
  default boolean isByHeat() {
    return false;
  }

  Placement make();
}
