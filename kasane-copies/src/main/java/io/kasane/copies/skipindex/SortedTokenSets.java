/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.apache.cassandra.utils.concurrent.OpOrder;

/**
 * Tokens by SSTable. A run is given to it for good: it closes those that it does not need any more,
 * but not before every look-up has ended that may have found them ({@link #free}).
 *
 * <p>Thread-safe; whoever changes it holds the monitor of its owner, but for {@link #join}, {@link
 * #joinAll}, {@link #keepOnly} and {@link #free}.
 *
 * @param <S> identifies an SSTable
 */
final class SortedTokenSets<S> {
  /** Of runs of an SSTable each is so many times larger than the next, or they are joined. */
  private static final int LARGER = 4;

  private final ConcurrentMap<S, Runs> bySSTable = new ConcurrentHashMap<>();
  private final Queue<SortedTokenSet> unused = new ConcurrentLinkedQueue<>();

  /** Whoever looks into runs that another thread may take away. */
  private final OpOrder lookUps = new OpOrder();

  /** A moment of an SSTable; equal to none but itself, also when the same runs have changed. */
  private static final class Runs {
    final List<SortedTokenSet> all;

    Runs(List<SortedTokenSet> all) {
      this.all = List.copyOf(all);
    }

    long size() {
      return all.stream().mapToLong(SortedTokenSet::size).sum();
    }

    /** The first of the last runs that are to be joined. */
    int joinedFrom() {
      if (all.stream().anyMatch(SortedTokenSet::isMostlyRemoved)) {
        return 0;
      }
      int from = all.size() - 1;
      long tail = all.get(from).size();
      while (from > 0 && all.get(from - 1).size() < LARGER * tail) {
        from--;
        tail += all.get(from).size();
      }
      return from;
    }
  }

  boolean isEmpty() {
    return bySSTable.isEmpty();
  }

  boolean contains(S sstable, long token) {
    if (!bySSTable.containsKey(sstable)) {
      return false;
    }
    try (OpOrder.Group lookUp = lookUps.start()) {
      Runs runs = bySSTable.get(sstable);
      if (runs == null) {
        return false;
      }
      for (int i = 0; i < runs.all.size(); i++) {
        if (runs.all.get(i).contains(token)) {
          return true;
        }
      }
      return false;
    }
  }

  void add(S sstable, SortedTokenSet run) {
    if (run.size() == 0) {
      run.close();
      return;
    }
    bySSTable.merge(
        sstable,
        new Runs(List.of(run)),
        (some, more) -> {
          List<SortedTokenSet> all = new ArrayList<>(some.all);
          all.addAll(more.all);
          return new Runs(all);
        });
  }

  void joinAll() {
    bySSTable.keySet().forEach(this::join);
  }

  /** Not while anybody waits: to join a million tokens takes a while. */
  void join(S sstable) {
    try (OpOrder.Group lookUp = lookUps.start()) {
      Runs runs = bySSTable.get(sstable);
      if (runs == null) {
        return;
      }
      int from = runs.joinedFrom();
      List<SortedTokenSet> tail = runs.all.subList(from, runs.all.size());
      if (tail.size() > 1 || tail.stream().anyMatch(SortedTokenSet::isMostlyRemoved)) {
        List<SortedTokenSet> all = new ArrayList<>(runs.all.subList(0, from));
        all.add(SortedTokenSet.union(tail));
        replace(sstable, runs, all);
      }
    }
  }

  /** In the place of {@code runs}, if nobody has changed them; takes over {@code instead}. */
  private void replace(S sstable, Runs runs, List<SortedTokenSet> instead) {
    Runs kept = new Runs(instead);
    boolean replaced =
        kept.size() == 0 ? bySSTable.remove(sstable, runs) : bySSTable.replace(sstable, runs, kept);
    List<SortedTokenSet> others = new ArrayList<>(replaced ? runs.all : instead);
    others.removeAll(replaced ? instead : runs.all);
    unused.addAll(others);
  }

  /** Of the tokens that are claimed of SSTables, those that are in all that claim them. */
  SortedTokenSet allOf(Map<S, SortedTokenSet> claims) {
    try (OpOrder.Group lookUp = lookUps.start()) {
      SortedTokenSet all = SortedTokenSet.union(List.copyOf(claims.values()));
      for (Map.Entry<S, SortedTokenSet> claim : claims.entrySet()) {
        try (SortedTokenSet before = all;
            SortedTokenSet lost = unknown(claim.getKey(), claim.getValue())) {
          all = before.without(lost);
        }
      }
      return all;
    }
  }

  private SortedTokenSet unknown(S sstable, SortedTokenSet claimed) {
    Runs known = bySSTable.get(sstable);
    SortedTokenSet left = claimed.share();
    for (SortedTokenSet run : known == null ? List.<SortedTokenSet>of() : known.all) {
      try (SortedTokenSet before = left) {
        left = before.without(run);
      }
    }
    return left;
  }

  void remove(SortedTokenSet tokens) {
    if (tokens.size() == 0) {
      return;
    }
    List<SortedTokenSet> empty = new ArrayList<>();
    for (S sstable : bySSTable.keySet()) {
      bySSTable.computeIfPresent(sstable, (same, runs) -> without(runs, tokens, empty));
    }
    unused.addAll(empty); // not before nobody finds them any more
  }

  /** Another moment: a join that is under way may have seen what is taken out. */
  private static Runs without(Runs runs, SortedTokenSet tokens, List<SortedTokenSet> empty) {
    runs.all.forEach(run -> run.removeAll(tokens));
    if (runs.size() == 0) {
      empty.addAll(runs.all);
      return null;
    }
    return new Runs(runs.all);
  }

  void removeSSTables(Predicate<S> which) {
    for (S sstable : bySSTable.keySet()) {
      if (which.test(sstable)) {
        Runs runs = bySSTable.remove(sstable);
        if (runs != null) {
          unused.addAll(runs.all);
        }
      }
    }
  }

  void keepOnly(LongPredicate needed) {
    for (S sstable : bySSTable.keySet()) {
      try (OpOrder.Group lookUp = lookUps.start()) {
        Runs runs = bySSTable.get(sstable);
        if (runs != null) {
          replace(sstable, runs, runs.all.stream().map(run -> run.filter(needed)).toList());
        }
      }
    }
  }

  /** All runs, to be closed by the caller. */
  Map<S, List<SortedTokenSet>> share() {
    try (OpOrder.Group lookUp = lookUps.start()) {
      Map<S, List<SortedTokenSet>> all = new HashMap<>();
      bySSTable.forEach(
          (sstable, runs) ->
              all.put(sstable, runs.all.stream().map(SortedTokenSet::share).toList()));
      return all;
    }
  }

  /** Gives the memory of unused runs back, when nobody looks into them any more. */
  void free() {
    List<SortedTokenSet> freed = new ArrayList<>();
    for (SortedTokenSet run = unused.poll(); run != null; run = unused.poll()) {
      freed.add(run);
    }
    if (!freed.isEmpty()) {
      lookUps.awaitNewBarrier();
      freed.forEach(SortedTokenSet::close);
    }
  }

  long size() {
    return bySSTable.values().stream().mapToLong(Runs::size).sum();
  }

  /** Without what is unused and will be given back. */
  long bytes() {
    try (OpOrder.Group lookUp = lookUps.start()) {
      return bySSTable.values().stream()
          .flatMap(runs -> runs.all.stream())
          .mapToLong(SortedTokenSet::bytes)
          .sum();
    }
  }
}
