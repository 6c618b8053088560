/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.store;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The committed versions of items that were wanted, as far as the limit goes.
 *
 * @param versions by item; deletions may be among them
 * @param next the first item that is wanted and not among them, deleted or not; empty where all are
 */
public record ItemPage(Map<ItemKey, Version> versions, Optional<Bytes> next) {
  /**
   * What is wanted of what was read.
   *
   * @param readUpTo the item before which all was read; empty for all that is wanted
   */
  public static ItemPage of(
      ItemRange wanted, Map<ItemKey, Version> read, Optional<Bytes> readUpTo) {
    ItemRange all = wanted.upTo(readUpTo);
    if (all.isWhole() && wanted.limit() == ItemRange.UNLIMITED) {
      return new ItemPage(read, readUpTo);
    }
    Map<ItemKey, Version> page = new HashMap<>();
    int live = 0;
    for (Map.Entry<ItemKey, Version> item : new TreeMap<>(read).entrySet()) {
      if (!all.contains(item.getKey())) {
        continue;
      }
      if (!item.getValue().isDeletion() && live++ == wanted.limit()) {
        return new ItemPage(page, Optional.of(item.getKey().item()));
      }
      page.put(item.getKey(), item.getValue());
    }
    return new ItemPage(page, readUpTo);
  }
}
