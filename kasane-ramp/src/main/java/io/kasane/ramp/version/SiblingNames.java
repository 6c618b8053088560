/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Set;

/**
 * All keys of a transaction by name, as RAMP-Fast has them.
 *
 * @param names all keys that the transaction wrote, the version's own among them
 * @param deleted those of them that it deleted
 */
public record SiblingNames(Set<ItemKey> names, Set<ItemKey> deleted) implements Siblings {
  /** Takes copies. */
  public SiblingNames {
    names = Set.copyOf(names);
    deleted = Set.copyOf(deleted);
  }

  /** Of a transaction that deleted nothing. */
  public SiblingNames(Set<ItemKey> names) {
    this(names, Set.of());
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
