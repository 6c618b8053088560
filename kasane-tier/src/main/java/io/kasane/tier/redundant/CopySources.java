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
 * Which SSTables are copies, and of which others. There are thousands of both, and a copy may have
 * rows of nearly all others: so it is the sources that are looked at, each once, and copies only
 * where one of theirs has moved. Not thread-safe.
 *
 * @param <S> identifies an SSTable
 */
final class CopySources<S> {
  private final Map<S, Set<S>> byCopy = new HashMap<>();
  private final Map<S, Set<S>> copiesBySource = new HashMap<>();
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
    for (S copy : copies) {
      forget(copy);
      byCopy.put(copy, new HashSet<>(sources));
      sources.forEach(source -> copiesOf(source).add(copy));
    }
  }

  private Set<S> copiesOf(S source) {
    return copiesBySource.computeIfAbsent(source, s -> new HashSet<>());
  }

  void restore(Map<S, Set<S>> kept) {
    kept.forEach(
        (copy, sources) -> {
          if (!byCopy.containsKey(copy)) {
            set(Set.of(copy), sources);
          }
        });
  }

  Map<S, Set<S>> all() {
    Map<S, Set<S>> all = new HashMap<>();
    byCopy.forEach((copy, sources) -> all.put(copy, Set.copyOf(sources)));
    return all;
  }

  void retain(Set<S> live) {
    List.copyOf(byCopy.keySet()).stream()
        .filter(copy -> !live.contains(copy))
        .forEach(this::forget);
  }

  private void forget(S copy) {
    Set<S> sources = byCopy.remove(copy);
    if (sources != null) {
      for (S source : sources) {
        Set<S> copies = copiesBySource.get(source);
        copies.remove(copy);
        if (copies.isEmpty()) {
          copiesBySource.remove(source);
        }
      }
    }
  }

  /** The live SSTables all of whose rows lie in live SSTables that are no copies. */
  Set<S> copies(Set<S> live) {
    follow(live);
    Set<S> found = new HashSet<>(byCopy.keySet());
    found.retainAll(live);
    return found;
  }

  /** The live SSTables that hold all rows of some copies; nothing if one is none any more. */
  Optional<Set<S>> of(Collection<S> copies, Set<S> live) {
    follow(live);
    Set<S> all = new HashSet<>();
    for (S copy : copies) {
      Set<S> sources = byCopy.get(copy);
      if (sources == null) {
        return Optional.empty();
      }
      all.addAll(sources);
    }
    return Optional.of(all);
  }

  /** Puts what took their place in the place of sources that are gone. */
  private void follow(Set<S> live) {
    for (S source : List.copyOf(copiesBySource.keySet())) {
      if (!copiesBySource.containsKey(source)) {
        continue; // its last copy went with another source
      }
      Optional<Set<S>> found = lineage.whereAre(Set.of(source), live, true);
      if (found.isEmpty()) {
        for (S copy : List.copyOf(copiesBySource.get(source))) {
          forget(copy);
          if (live.contains(copy)) {
            onLost.accept(copy);
          }
        }
      } else if (!live.contains(source)) {
        for (S copy : copiesBySource.remove(source)) {
          byCopy.get(copy).remove(source);
          byCopy.get(copy).addAll(found.get());
          found.get().forEach(heir -> copiesOf(heir).add(copy));
        }
      }
    }
  }
}
