/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Objects;
import java.util.Optional;

/**
 * Items of a collection that lie next to each other, in the order of their bytes.
 *
 * @param table the table's name
 * @param partition the partition key
 * @param from the first item; empty for the first one that there is
 * @param before the item before which it ends; empty where it has no end
 * @param limit how many items that are not deleted are wanted at most
 */
public record ItemRange(
    String table, Bytes partition, Bytes from, Optional<Bytes> before, int limit) {
  /** No limit. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /**
   * Checks it.
   *
   * @throws IllegalArgumentException if the limit is below 1
   */
  public ItemRange {
    Objects.requireNonNull(table);
    Objects.requireNonNull(partition);
    Objects.requireNonNull(from);
    Objects.requireNonNull(before);
    if (limit < 1) {
      throw new IllegalArgumentException("a limit of " + limit + " items; 1 or more are possible");
    }
  }

  /** All items of a partition. */
  public static ItemRange all(String table, Bytes partition) {
    return new ItemRange(table, partition, Bytes.EMPTY, Optional.empty(), UNLIMITED);
  }

  /** Whether it is all items of its partition. */
  public boolean isWhole() {
    return from.length() == 0 && before.isEmpty() && limit == UNLIMITED;
  }

  /** Whether the item lies in it, if the limit lets it. */
  public boolean contains(ItemKey key) {
    return key.table().equals(table)
        && key.partition().equals(partition)
        && key.item().compareTo(from) >= 0
        && before.filter(end -> key.item().compareTo(end) >= 0).isEmpty();
  }

  /** What of it lies before that item; all of it if there is none. */
  public ItemRange upTo(Optional<Bytes> end) {
    return new ItemRange(table, partition, from, end.or(() -> before), UNLIMITED);
  }
}
