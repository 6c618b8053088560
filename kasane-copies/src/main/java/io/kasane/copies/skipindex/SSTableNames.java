/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Names of SSTables that are never used twice. Each is looked up once and kept, because it cannot
 * be computed after the SSTable was deleted. Not thread-safe.
 *
 * @param <S> identifies an SSTable
 */
final class SSTableNames<S> {
  private final Function<S, String> nameOf;
  private final Map<S, String> known = new HashMap<>();

  SSTableNames(Function<S, String> nameOf) {
    this.nameOf = nameOf;
  }

  /** The name, or null if there is none. */
  String of(S sstable) {
    return known.computeIfAbsent(sstable, nameOf);
  }

  /** The names, or null if one has none. */
  List<String> ofAll(Collection<S> sstables) {
    List<String> names = new ArrayList<>();
    for (S sstable : sstables) {
      String name = of(sstable);
      if (name == null) {
        return null;
      }
      names.add(name);
    }
    return names;
  }

  /** Forgets SSTables that are not spoken of any more. */
  void retain(
      Set<S> slow, Set<S> homes, Map<S, Set<S>> sourcesByCopy, Map<S, Set<S>> successorsByInput) {
    Set<S> needed = new HashSet<>(slow);
    needed.addAll(homes);
    needed.addAll(sourcesByCopy.keySet());
    Set<Set<S>> sources = Collections.newSetFromMap(new IdentityHashMap<>());
    sources.addAll(sourcesByCopy.values()); // most copies have the same
    sources.forEach(needed::addAll);
    needed.addAll(successorsByInput.keySet());
    successorsByInput.values().forEach(needed::addAll);
    known.keySet().retainAll(needed);
  }
}
