/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which SSTables are copies, and of which others. There are thousands of both, and a copy may have
 * rows of nearly all others: so copies of many share one set of sources, and sources are looked at
 * each once. To claim more sources than a copy has is safe: it is no copy any more as soon as one
 * of them is lost. A source that becomes a copy itself, as what a merge brings to fast does, stands
 * for its own sources: it may be dropped. Not thread-safe.
 *
 * @param <S> identifies an SSTable
 */
final class CopySources<S> {
  private final Map<S, Group<S>> byCopy = new HashMap<>();
  private final Map<S, Set<Group<S>>> groupsBySource = new HashMap<>();
  private final Lineage<S> lineage;
  private final int few;
  private final Consumer<Set<S>> onLost;
  private Group<S> shared = new Group<>();

  /** Copies that have rows of the same sources. */
  private static final class Group<S> {
    final Set<S> copies = new HashSet<>();
    final Set<S> sources = new HashSet<>();
    boolean isDissolved;

    /** The sources as they are, as long as they stay so. */
    Set<S> view;

    Set<S> sourcesNow() {
      if (view == null) {
        view = Set.copyOf(sources);
      }
      return view;
    }
  }

  /**
   * There are none yet.
   *
   * @param lineage where the sources' rows are now
   * @param few most sources that copies have for themselves
   * @param onLost hears of copies one of whose sources is gone
   */
  CopySources(Lineage<S> lineage, int few, Consumer<Set<S>> onLost) {
    this.lineage = lineage;
    this.few = few;
    this.onLost = onLost;
  }

  /**
   * From now on these are copies.
   *
   * @return what is known as their sources, these or more; the same object as long as they are
   */
  Set<S> set(Set<S> copies, Set<S> sources) {
    copies.forEach(this::forget);
    Group<S> group = sources.size() > few ? shared : new Group<>();
    join(group, copies, sources);
    copies.forEach(copy -> replaceSource(copy, sources).forEach(this::shareIfMany));
    shareIfMany(group); // a source that is a copy stood for many
    return byCopy.get(copies.iterator().next()).sourcesNow();
  }

  private void join(Group<S> group, Set<S> copies, Set<S> sources) {
    group.copies.addAll(copies);
    copies.forEach(copy -> byCopy.put(copy, group));
    sources.forEach(source -> addSource(group, source));
  }

  /** Returns the groups that had it. */
  private List<Group<S>> replaceSource(S source, Set<S> others) {
    Set<Group<S>> groups = groupsBySource.remove(source);
    if (groups == null) {
      return List.of();
    }
    for (Group<S> group : groups) {
      group.sources.remove(source);
      group.view = null;
      others.forEach(other -> addSource(group, other));
    }
    return List.copyOf(groups);
  }

  private void addSource(Group<S> group, S source) {
    Group<S> ofCopy = byCopy.get(source);
    if (ofCopy == group) {
      return; // all that it has lies in the others
    }
    if (ofCopy != null) {
      ofCopy.sources.forEach(other -> addSource(group, other));
    } else if (group.sources.add(source)) {
      group.view = null;
      groupsBySource.computeIfAbsent(source, s -> new HashSet<>()).add(group);
    }
  }

  /**
   * Takes over what was known before.
   *
   * @param kept copies of the same sources have the same object
   */
  void restore(Map<S, Set<S>> kept) {
    IdentityHashMap<Set<S>, Set<S>> copiesBySources = new IdentityHashMap<>();
    kept.forEach(
        (copy, sources) -> {
          if (!byCopy.containsKey(copy)) {
            copiesBySources.computeIfAbsent(sources, s -> new HashSet<>()).add(copy);
          }
        });
    copiesBySources.forEach((sources, copies) -> set(copies, sources));
  }

  /** The sources of each copy; copies of the same have the same object. */
  Map<S, Set<S>> all() {
    Map<S, Set<S>> all = new HashMap<>();
    byCopy.forEach((copy, group) -> all.put(copy, group.sourcesNow()));
    return all;
  }

  void retain(Set<S> live) {
    List.copyOf(byCopy.keySet()).stream()
        .filter(copy -> !live.contains(copy))
        .forEach(this::forget);
  }

  private void forget(S copy) {
    Group<S> group = byCopy.remove(copy);
    if (group != null) {
      group.copies.remove(copy);
      if (group.copies.isEmpty()) {
        dissolve(group);
      }
    }
  }

  private void dissolve(Group<S> group) {
    for (S source : group.sources) {
      Set<Group<S>> groups = groupsBySource.get(source);
      groups.remove(group);
      if (groups.isEmpty()) {
        groupsBySource.remove(source);
      }
    }
    group.copies.forEach(byCopy::remove);
    group.isDissolved = true;
    if (group == shared) {
      shared = new Group<>();
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
    Set<Group<S>> groups = new HashSet<>();
    for (S copy : copies) {
      Group<S> group = byCopy.get(copy);
      if (group == null) {
        return Optional.empty();
      }
      groups.add(group);
    }
    Set<S> all = new HashSet<>();
    groups.forEach(group -> all.addAll(group.sources));
    return Optional.of(all);
  }

  /** Puts what took their place in the place of sources that are gone. */
  private void follow(Set<S> live) {
    List<Group<S>> grown = new ArrayList<>();
    for (S source : List.copyOf(groupsBySource.keySet())) {
      if (!groupsBySource.containsKey(source)) {
        continue; // its last copies went with another source
      }
      Optional<Set<S>> found = lineage.whereAre(Set.of(source), live, true);
      if (found.isEmpty()) {
        List.copyOf(groupsBySource.get(source)).forEach(group -> lose(group, live));
      } else if (!live.contains(source)) {
        grown.addAll(replaceSource(source, found.get()));
      }
    }
    grown.forEach(this::shareIfMany);
  }

  private void lose(Group<S> group, Set<S> live) {
    dissolve(group);
    Set<S> lost = new HashSet<>(group.copies);
    lost.retainAll(live);
    if (!lost.isEmpty()) {
      onLost.accept(lost);
    }
  }

  private void shareIfMany(Group<S> group) {
    if (group != shared && group.sources.size() > few && !group.isDissolved) {
      Set<S> copies = Set.copyOf(group.copies);
      dissolve(group);
      join(shared, copies, group.sources);
    }
  }
}
