/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Objects;

/**
 * What a version is a version of: an item of a collection, or the only item of a partition.
 *
 * @param table the table's name
 * @param partition the partition key
 * @param item the item within the partition; empty where the partition is no collection
 */
public record ItemKey(String table, Bytes partition, Bytes item) implements Comparable<ItemKey> {
  /** All three are there. */
  public ItemKey {
    Objects.requireNonNull(table);
    Objects.requireNonNull(partition);
    Objects.requireNonNull(item);
  }

  /** The only item of a partition. */
  public ItemKey(String table, Bytes partition) {
    this(table, partition, Bytes.EMPTY);
  }

  /** By table, partition and item: the order in which locks would be taken. */
  @Override
  public int compareTo(ItemKey other) {
    int byTable = table.compareTo(other.table);
    if (byTable != 0) {
      return byTable;
    }
    int byPartition = partition.compareTo(other.partition);
    return byPartition != 0 ? byPartition : item.compareTo(other.item);
  }

  @Override
  public String toString() {
    return table + "/" + partition + (item.length() == 0 ? "" : "/" + item);
  }
}
