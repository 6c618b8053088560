/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Set;

/** What a version knows of the keys that its transaction wrote. Immutable. */
public sealed interface Siblings permits SiblingNames, SiblingFilter, UnknownSiblings {
  /** How it is known. */
  Mode mode();

  /** Whether the transaction wrote that key. */
  Demand demandOn(ItemKey key);

  /** The keys by name, all of the transaction's; none where they are not known by name. */
  Set<ItemKey> names();

  /** Those of {@link #names} that the transaction deleted. */
  default Set<ItemKey> deleted() {
    return Set.of();
  }
}
