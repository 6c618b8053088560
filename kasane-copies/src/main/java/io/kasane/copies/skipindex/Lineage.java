/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the SSTables that replaced those which compactions removed. Each compaction announces,
 * before it ends, which SSTables replace its inputs. What vanished without that is lost. Not
 * thread-safe.
 *
 * @param <S> identifies an SSTable
 */
final class Lineage<S> {

  /** Bounds the heap; the next read follows them all. */
  private static final int MAX_ANNOUNCEMENTS = 4_096;

  private final Map<S, Replacement<S>> replacements =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<S, Replacement<S>> eldest) {
          return size() > MAX_ANNOUNCEMENTS;
        }
      };

  /**
   * What a compaction leaves.
   *
   * @param complete whether the successors have all rows of it; copies of rows that cooled are
   *     dropped
   */
  private record Replacement<S>(Set<S> successors, boolean complete) {}

  void announce(Collection<S> inputs, Collection<S> outputs, boolean complete) {
    Replacement<S> replacement = new Replacement<>(Set.copyOf(outputs), complete);
    inputs.forEach(input -> replacements.put(input, replacement));
  }

  /** A compaction that was announced has failed. */
  void retract(Collection<S> inputs) {
    replacements.keySet().removeAll(inputs);
  }

  /** Whether a compaction left nothing in the place of an SSTable. */
  boolean isWithoutSuccessor(S sstable) {
    Replacement<S> replacement = replacements.get(sstable);
    return replacement != null && replacement.successors().isEmpty();
  }

  /** What took the place of each SSTable that a compaction took away. */
  Map<S, Set<S>> successors() {
    Map<S, Set<S>> successors = new HashMap<>();
    replacements.forEach((input, replacement) -> successors.put(input, replacement.successors()));
    return successors;
  }

  /**
   * The live SSTables that hold the rows of {@code sstables} now.
   *
   * @param present the live SSTables
   * @param complete whether all their rows must be there: else those may lack that a compaction of
   *     copies dropped
   * @return nothing if one is gone and no compaction said where its rows went
   */
  Optional<Set<S>> whereAre(Collection<S> sstables, Set<S> present, boolean complete) {
    Set<S> found = new HashSet<>();
    Set<S> seen = new HashSet<>(sstables);
    Deque<S> left = new ArrayDeque<>(seen);
    while (!left.isEmpty()) {
      S sstable = left.poll();
      Replacement<S> replacement = replacements.get(sstable);
      if (complete && replacement != null && !replacement.complete()) {
        return Optional.empty();
      }
      if (present.contains(sstable)) {
        found.add(sstable);
      } else if (replacement == null) {
        return Optional.empty();
      } else {
        replacement.successors().stream().filter(seen::add).forEach(left::add);
      }
    }
    return Optional.of(found);
  }
}
