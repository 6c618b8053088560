/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Single items, and ranges of them without limits. For one thread after the other. */
final class Covered {
  private final Set<ItemKey> keys = new HashSet<>();
  private final Map<CollectionKey, Set<ItemRange>> ranges = new HashMap<>();

  void add(Set<ItemKey> more) {
    keys.addAll(more);
  }

  void add(ItemRange range) {
    ranges.computeIfAbsent(CollectionKey.of(range), collection -> new HashSet<>()).add(range);
  }

  boolean has(ItemKey key) {
    return keys.contains(key) || hasInRange(key);
  }

  /** Whether it lies in one of the ranges. */
  boolean hasInRange(ItemKey key) {
    if (ranges.isEmpty()) {
      return false;
    }
    for (ItemRange range : ranges.getOrDefault(CollectionKey.of(key), Set.of())) {
      if (range.contains(key)) {
        return true;
      }
    }
    return false;
  }

  /** The single items. */
  Set<ItemKey> keys() {
    return keys;
  }
}
