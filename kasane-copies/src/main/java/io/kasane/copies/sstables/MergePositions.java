/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.sstables;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * At which row each input of a merge is now, and the reverse: which inputs are at a row. Takes as
 * long with thousands of inputs as with two. Not thread-safe.
 *
 * @param <S> an input
 * @param <K> the key of a row
 */
final class MergePositions<S, K> {
  private final Map<S, K> rows = new HashMap<>();
  private final Map<K, Set<S>> holders = new HashMap<>();

  /** An input is followed from now on; it is at no row yet. */
  void follow(S input) {
    rows.put(input, null);
  }

  boolean follows(S input) {
    return rows.containsKey(input);
  }

  /** An input is at its next row. */
  void movesTo(S input, K row) {
    K before = rows.put(input, row);
    if (before != null) {
      holders.computeIfPresent(before, (key, some) -> without(some, input));
    }
    holders.computeIfAbsent(row, key -> new HashSet<>(2)).add(input);
  }

  private static <S> Set<S> without(Set<S> some, S input) {
    some.remove(input);
    return some.isEmpty() ? null : some;
  }

  /** The inputs that are at a row; changes with them. */
  Set<S> at(K row) {
    return holders.getOrDefault(row, Set.of());
  }
}
