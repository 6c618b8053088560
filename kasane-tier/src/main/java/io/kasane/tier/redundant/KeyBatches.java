/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys by SSTable. Thread-safe; whoever changes it holds the monitor of its owner, but for {@link
 * #join} and {@link #keepOnly}.
 *
 * @param <S> identifies an SSTable
 */
final class KeyBatches<S> {
  private static final int MOST_BATCHES = 6;

  private final ConcurrentMap<S, List<KeyBatch>> bySSTable = new ConcurrentHashMap<>();

  boolean isEmpty() {
    return bySSTable.isEmpty();
  }

  boolean contains(S sstable, long keyId, ByteBuffer key) {
    List<KeyBatch> batches = bySSTable.get(sstable);
    if (batches == null) {
      return false;
    }
    for (int i = 0; i < batches.size(); i++) {
      if (batches.get(i).contains(keyId, key)) {
        return true;
      }
    }
    return false;
  }

  void add(S sstable, KeyBatch batch) {
    bySSTable.merge(
        sstable,
        List.of(batch),
        (some, more) ->
            Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableList()));
  }

  /** Not while anybody waits: to join a million keys takes a while. */
  void join(S sstable) {
    List<KeyBatch> batches = bySSTable.get(sstable);
    if (batches != null && batches.size() > MOST_BATCHES) {
      bySSTable.replace(sstable, batches, List.of(KeyBatch.union(batches)));
    }
  }

  /** Of the keys that are claimed of SSTables, those that are in all that claim them. */
  KeyBatch allOf(Map<S, KeyBatch> claims) {
    KeyBatch all = KeyBatch.union(List.copyOf(claims.values()));
    for (Map.Entry<S, KeyBatch> claim : claims.entrySet()) {
      KeyBatch lost = claim.getValue();
      for (KeyBatch known : bySSTable.getOrDefault(claim.getKey(), List.of())) {
        lost = lost.without(known);
      }
      all = all.without(lost);
    }
    return all;
  }

  void removeKeys(KeyBatch keys) {
    bySSTable.replaceAll((sstable, all) -> all.stream().map(b -> b.without(keys)).toList());
  }

  void removeSSTables(Predicate<S> which) {
    bySSTable.keySet().removeIf(which);
  }

  void keepOnly(LongPredicate needed) {
    bySSTable.replaceAll((sstable, batches) -> List.of(KeyBatch.union(batches).filter(needed)));
  }

  Map<S, List<KeyBatch>> all() {
    return Map.copyOf(bySSTable);
  }

  int size() {
    return bySSTable.values().stream().flatMap(List::stream).mapToInt(KeyBatch::size).sum();
  }

  long bytes() {
    return bySSTable.values().stream().flatMap(List::stream).mapToLong(KeyBatch::bytes).sum();
  }
}
