/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;

/**
 * A partition whose items are read together.
 *
 * @param table the table's name
 * @param partition the partition key
 */
public record CollectionKey(String table, Bytes partition) {
  /** The collection that an item is, or may be, of. */
  public static CollectionKey of(ItemKey key) {
    return new CollectionKey(key.table(), key.partition());
  }

  /** The collection that items lie in. */
  public static CollectionKey of(ItemRange items) {
    return new CollectionKey(items.table(), items.partition());
  }

  /** All its items. */
  public ItemRange all() {
    return ItemRange.all(table, partition);
  }
}
