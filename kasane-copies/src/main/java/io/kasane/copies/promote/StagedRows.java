/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.promote;

import io.kasane.copies.sstables.RowBounds;
import io.kasane.copies.sstables.SharedInputs;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
  private final Map<DecoratedKey, Set<SharedInputs>> whole = new HashMap<>();
  private final Set<Descriptor> sources = new HashSet<>();
  private long bytes;

  boolean holds(DecoratedKey key, Descriptor sstable) {
    return rows.getOrDefault(key, Map.of()).containsKey(sstable);
  }

  boolean readsFrom(Descriptor sstable) {
    return sources.contains(sstable);
  }

  void put(DecoratedKey key, Descriptor sstable, ImmutableBTreePartition partition) {
    ImmutableBTreePartition before =
        rows.computeIfAbsent(key, k -> new HashMap<>()).put(sstable, partition);
    sources.add(sstable);
    bytes += RowBounds.onDiskBytes(partition);
    bytes -= before == null ? 0 : RowBounds.onDiskBytes(before);
  }

  /** All that the inputs of a compaction hold of a row was put. */
  void putAllOf(DecoratedKey key, SharedInputs merged) {
    whole.computeIfAbsent(key, k -> new HashSet<>()).add(merged);
  }

  /** Those of which {@link #hasAllOf} is true for some row. */
  Set<SharedInputs> compacted() {
    return whole.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
  }

  boolean hasAllOf(DecoratedKey key, SharedInputs merged) {
    return whole.getOrDefault(key, Set.of()).contains(merged);
  }

  /** Leaves out rows of which this is true of all that was read. */
  void removeIf(BiPredicate<Descriptor, DecoratedKey> unwanted) {
    Predicate<Map.Entry<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>>> isUnwanted =
        row -> row.getValue().keySet().stream().allMatch(s -> unwanted.test(s, row.getKey()));
    rows.entrySet().removeIf(isUnwanted);
    bytes =
        rows.values().stream()
            .flatMap(parts -> parts.values().stream())
            .mapToLong(RowBounds::onDiskBytes)
            .sum();
  }

  /** An upper bound of what the rows take on disk. */
  long boundBytes() {
    return bytes;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * What was read from {@code sstables}, by key in their order on disk.
   *
   * @param mayCopy whether a part of a row may be copied, by its SSTable
   */
  NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> of(
      BiPredicate<Descriptor, DecoratedKey> mayCopy) {
    NavigableMap<DecoratedKey, Map<Descriptor, ImmutableBTreePartition>> found = new TreeMap<>();
    rows.forEach(
        (key, parts) ->
            parts.forEach(
                (sstable, part) -> {
                  if (mayCopy.test(sstable, key)) {
                    found.computeIfAbsent(key, k -> new HashMap<>()).put(sstable, part);
                  }
                }));
    return found;
  }
}
