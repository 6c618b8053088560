/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.ItemKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Compares rows with their entries, some at a time. An entry that is missing is put under the stamp
 * that its row has: if the row is written meanwhile, it is stale and does no harm. For one thread.
 */
final class Comparison<K, V, X, W> {
  private static final int AT_ONCE = 50;

  private final RampSession session;
  private final RampTable<K, Stamped<V>> rows;
  private final RampCollection<X, Stamped<K>, W> entries;
  private final BiFunction<K, V, Map<X, W>> entriesOf;
  private final boolean mends;
  private long seenRows;
  private long missing;
  private long stale;
  private long unreadable;

  /**
   * A comparison that begins.
   *
   * @param session has seen nothing, since what is lost may be among what others saw
   */
  Comparison(
      RampSession session,
      RampTable<K, Stamped<V>> rows,
      RampCollection<X, Stamped<K>, W> entries,
      BiFunction<K, V, Map<X, W>> entriesOf,
      boolean mends) {
    this.session = session;
    this.rows = rows;
    this.entries = entries;
    this.entriesOf = entriesOf;
    this.mends = mends;
  }

  /** Everything. */
  Check all() {
    inParts(session.keys(rows).iterator(), this::rows);
    inParts(session.keys(entries).iterator(), this::entries);
    return new Check(seenRows, missing, stale, unreadable);
  }

  /** The rows that a transaction wrote, or whose entries it wrote. */
  void of(Collection<ItemKey> keys) {
    Set<K> concerned = new LinkedHashSet<>();
    for (ItemKey key : keys) {
      if (key.table().equals(rows.name())) {
        concerned.add(rows.keys().decode(key.partition()));
      } else if (key.table().equals(entries.name())) {
        concerned.add(entries.items().decode(key.item()).value());
      }
    }
    inParts(concerned.iterator(), this::rows);
  }

  private interface Part<T> {
    void compare(RampSession fresh, List<T> part);
  }

  private static <T> void inParts(Iterator<T> all, Consumer<List<T>> part) {
    while (all.hasNext()) {
      List<T> some = new ArrayList<>();
      while (all.hasNext() && some.size() < AT_ONCE) {
        some.add(all.next());
      }
      part.accept(some);
    }
  }

  private void rows(List<K> keys) {
    readable(keys, this::compareRows);
  }

  private void entries(List<X> keys) {
    readable(keys, this::compareEntries);
  }

  /** What cannot be read together is healed, or read one by one and counted. */
  private <T> void readable(List<T> keys, Part<T> part) {
    Set<Object> healed = new LinkedHashSet<>();
    while (true) {
      try {
        part.compare(session.newSession(), keys);
        return;
      } catch (LostVersionException e) {
        if (mends && healed.add(e.timestamp())) {
          session.newSession().heal(e);
        } else if (mends) {
          throw e;
        } else if (keys.size() == 1) {
          unreadable++;
          return;
        } else {
          keys.forEach(key -> readable(List.of(key), part));
          return;
        }
      }
    }
  }

  private void compareRows(RampSession fresh, List<K> keys) {
    RampRows first = fresh.read().get(rows, keys).run();
    RampRead both = fresh.read().get(rows, keys);
    for (K key : keys) {
      first
          .get(rows, key)
          .ifPresent(row -> expected(key, row).forEach((x, w) -> item(both, x, key, row)));
    }
    RampRows seen = both.run();
    for (K key : keys) {
      Optional<Stamped<V>> row = first.get(rows, key);
      if (row.isPresent() && seen.get(rows, key).equals(row)) {
        seenRows++;
        compare(fresh, seen, key, row.get());
      }
    }
  }

  private void compare(RampSession fresh, RampRows seen, K key, Stamped<V> row) {
    RampTransaction missed = fresh.write();
    expected(key, row)
        .forEach(
            (x, w) -> {
              Stamped<K> entry = new Stamped<>(row.stamp(), key);
              if (seen.item(entries, x, entry).isEmpty()) {
                missing++;
                missed.put(entries, x, entry, w);
              }
            });
    if (mends) {
      missed.commit();
    }
  }

  private void compareEntries(RampSession fresh, List<X> keys) {
    long foundStale = 0;
    for (X x : keys) {
      LookUp.Found<K, V, X, W> found =
          fresh.readTransaction(
              reader ->
                  new Entries<>(rows, entries, entriesOf)
                      .find(fresh, reader, fresh.read(), Set.of(x), Set.of()));
      foundStale += found.stale().size();
      if (mends) {
        found
            .stale()
            .forEach(one -> fresh.write().delete(entries, one.key(), one.entry()).commit());
      }
    }
    // At the end, since what cannot be read together is gone through again.
    stale += foundStale;
  }

  private Map<X, W> expected(K key, Stamped<V> row) {
    return entriesOf.apply(key, row.value());
  }

  private void item(RampRead read, X x, K key, Stamped<V> row) {
    read.item(entries, x, new Stamped<>(row.stamp(), key));
  }
}
