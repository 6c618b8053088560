/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The SSTables that hold the data which reads skip in other SSTables. Guarded by its owner, but for
 * {@link #areChecked}.
 *
 * @param <V> a moment of the table: the same object means the same live SSTables
 * @param <S> identifies an SSTable
 */
final class CoveringSSTables<V, S> {
  private final Lineage<S> lineage;
  private final Supplier<V> now;
  private final Function<V, Set<S>> live;
  private final Set<S> homes = new HashSet<>();

  /** When all of them were there; null: not known. */
  private volatile V checkedAt;

  /**
   * None.
   *
   * @param lineage where the rows of those are that compactions took away
   * @param now the table at this moment
   * @param live the SSTables that are live at a moment
   */
  CoveringSSTables(Lineage<S> lineage, Supplier<V> now, Function<V, Set<S>> live) {
    this.lineage = lineage;
    this.now = now;
    this.live = live;
  }

  /** Whether all were there at this moment of the table. Any thread. */
  boolean areChecked() {
    return checkedAt == now.get();
  }

  /** The live SSTables. */
  Set<S> live() {
    return live.apply(now.get());
  }

  /**
   * Puts what took their place in the place of those that are gone. Never with an older moment than
   * before: they may have moved on since.
   *
   * @return false if one is gone, and no compaction said where its rows went
   */
  boolean follow() {
    V moment = now.get();
    if (checkedAt == moment) {
      return true;
    }
    Optional<Set<S>> found = lineage.whereAre(homes, live.apply(moment), false);
    if (found.isPresent()) {
      homes.clear();
      homes.addAll(found.get());
      checkedAt = moment;
    }
    return found.isPresent();
  }

  void add(Collection<S> more) {
    homes.addAll(more);
    checkedAt = null;
  }

  void clear() {
    homes.clear();
    checkedAt = null;
  }

  boolean isEmpty() {
    return homes.isEmpty();
  }

  Set<S> copy() {
    return Set.copyOf(homes);
  }
}
