/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Set;

/**
 * All keys of a transaction by name, as RAMP-Fast has them.
 *
 * @param names all keys that the transaction wrote, the version's own among them
 */
public record SiblingNames(Set<ItemKey> names) implements Siblings {
  /** Takes a copy. */
  public SiblingNames {
    names = Set.copyOf(names);
  }

  @Override
  public Mode mode() {
    return Mode.FAST;
  }

  @Override
  public Demand demandOn(ItemKey key) {
    return names.contains(key) ? Demand.CERTAIN : Demand.NONE;
  }
}
