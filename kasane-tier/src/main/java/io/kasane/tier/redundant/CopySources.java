/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.redundant;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which SSTables are copies, and of which others. Not thread-safe.
 *
 * @param <S> identifies an SSTable
 */
final class CopySources<S> {
  private final Map<S, Set<S>> byCopy = new HashMap<>();
  private final Lineage<S> lineage;
  private final Consumer<S> onLost;

  /**
   * There are none yet.
   *
   * @param lineage where the sources' rows are now
   * @param onLost hears of a copy one of whose sources is gone
   */
  CopySources(Lineage<S> lineage, Consumer<S> onLost) {
    this.lineage = lineage;
    this.onLost = onLost;
  }

  void set(Set<S> copies, Set<S> sources) {
    copies.forEach(copy -> byCopy.put(copy, Set.copyOf(sources)));
  }

  void restore(Map<S, Set<S>> kept) {
    kept.forEach(byCopy::putIfAbsent);
  }

  Map<S, Set<S>> all() {
    return Map.copyOf(byCopy);
  }

  void retain(Set<S> live) {
    byCopy.keySet().retainAll(live);
  }

  /** The live SSTables all of whose rows lie in live SSTables that are no copies. */
  Set<S> copies(Set<S> live) {
    Set<S> found = new HashSet<>();
    for (S copy : List.copyOf(byCopy.keySet())) {
      if (live.contains(copy) && of(copy, live).isPresent()) {
        found.add(copy);
      }
    }
    return found;
  }

  /** The live SSTables that hold all rows of some copies; nothing if one is none any more. */
  Optional<Set<S>> of(Collection<S> copies, Set<S> live) {
    Set<S> all = new HashSet<>();
    for (S copy : copies) {
      Optional<Set<S>> some = of(copy, live);
      if (some.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(some.get());
    }
    return Optional.of(all);
  }

  private Optional<Set<S>> of(S copy, Set<S> live) {
    Set<S> sources = byCopy.get(copy);
    if (sources == null) {
      return Optional.empty();
    }
    Optional<Set<S>> found = lineage.whereAre(sources, live, true);
    if (found.isEmpty()) {
      byCopy.remove(copy);
      onLost.accept(copy);
    } else {
      byCopy.put(copy, found.get());
    }
    return found;
  }
}
