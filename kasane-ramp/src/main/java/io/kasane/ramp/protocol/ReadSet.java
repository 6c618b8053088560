/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a get wants to see at once.
 *
 * @param keys single items
 * @param ranges items of collections that lie next to each other
 */
public record ReadSet(Set<ItemKey> keys, Set<ItemRange> ranges) {
  /** Takes a copy. */
  public ReadSet {
    keys = Set.copyOf(keys);
    ranges = Set.copyOf(ranges);
  }

  /** Single items only. */
  public static ReadSet of(Set<ItemKey> keys) {
    return new ReadSet(keys, Set.of());
  }

  /** Some items of one collection only. */
  public static ReadSet of(ItemRange range) {
    return new ReadSet(Set.of(), Set.of(range));
  }

  /** One collection only, with all its items. */
  public static ReadSet of(CollectionKey collection) {
    return of(collection.all());
  }

  /** Keys in their order; streams cost a read from memory more than the sort. */
  static List<ItemKey> inOrder(Collection<ItemKey> keys) {
    ItemKey[] all = keys.toArray(new ItemKey[0]);
    Arrays.sort(all);
    return Arrays.asList(all);
  }

  /** Both at once. */
  ReadSet and(ReadSet other) {
    Set<ItemKey> bothKeys = new HashSet<>(keys);
    bothKeys.addAll(other.keys);
    Set<ItemRange> bothRanges = new HashSet<>(ranges);
    bothRanges.addAll(other.ranges);
    return new ReadSet(bothKeys, bothRanges);
  }
}
