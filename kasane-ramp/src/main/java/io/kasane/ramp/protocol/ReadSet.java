/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import java.util.HashSet;
import java.util.Set;

/**
 * What a get wants to see at once.
 *
 * @param keys single items
 * @param collections partitions with all their items
 */
public record ReadSet(Set<ItemKey> keys, Set<CollectionKey> collections) {
  /** Takes a copy. */
  public ReadSet {
    keys = Set.copyOf(keys);
    collections = Set.copyOf(collections);
  }

  /** Single items only. */
  public static ReadSet of(Set<ItemKey> keys) {
    return new ReadSet(keys, Set.of());
  }

  /** One collection only. */
  public static ReadSet of(CollectionKey collection) {
    return new ReadSet(Set.of(), Set.of(collection));
  }

  /** Both at once. */
  ReadSet and(ReadSet other) {
    Set<ItemKey> bothKeys = new HashSet<>(keys);
    bothKeys.addAll(other.keys);
    Set<CollectionKey> bothCollections = new HashSet<>(collections);
    bothCollections.addAll(other.collections);
    return new ReadSet(bothKeys, bothCollections);
  }

  boolean has(ItemKey key) {
    return keys.contains(key) || collections.contains(CollectionKey.of(key));
  }
}
