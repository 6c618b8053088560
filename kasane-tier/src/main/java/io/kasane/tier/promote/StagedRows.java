/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.promote;

import io.kasane.tier.write.RowBounds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.io.sstable.Descriptor;

/**
 * Rows that were read from slow SSTables and wait in memory until there are enough of them for an
 * SSTable. An SSTable never changes, so they are as good as when they were read for as long as
 * their SSTables are live. Filled by one thread; not changed once another has taken it.
 */
final class StagedRows {
  private final NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> rows =
      new TreeMap<>();
  private final Set<Descriptor> sources = new HashSet<>();
  private long bytes;

  boolean holds(DecoratedKey key, Descriptor sstable) {
    return rows.getOrDefault(key, Map.of()).containsKey(sstable);
  }

  boolean readsFrom(Descriptor sstable) {
    return sources.contains(sstable);
  }

  void put(DecoratedKey key, Descriptor sstable, ImmutableBTreePartition partition) {
    rows.computeIfAbsent(key, k -> new HashMap<>()).put(sstable, partition);
    sources.add(sstable);
    bytes += RowBounds.onDiskBytes(partition);
  }

  /** Leaves out what {@code unwanted} says of an SSTable and a key. */
  void removeIf(BiPredicate<Descriptor, DecoratedKey> unwanted) {
    rows.forEach(
        (key, parts) ->
            parts
                .entrySet()
                .removeIf(
                    part -> {
                      boolean removed = unwanted.test(part.getKey(), key);
                      bytes -= removed ? RowBounds.onDiskBytes(part.getValue()) : 0;
                      return removed;
                    }));
    rows.values().removeIf(Map::isEmpty);
  }

  /** An upper bound of what the rows take on disk. */
  long boundBytes() {
    return bytes;
  }

  int keys() {
    return rows.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** What was read from {@code sstables}, by key in their order on disk. */
  NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> of(
      Set<Descriptor> sstables) {
    NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> found = new TreeMap<>();
    rows.forEach(
        (key, parts) ->
            parts.forEach(
                (sstable, part) -> {
                  if (sstables.contains(sstable)) {
                    found.computeIfAbsent(key, k -> new HashMap<>()).put(sstable, part);
                  }
                }));
    return found;
  }
}
