/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampReader;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Rows, and entries that say under other keys where they are, written by the same transactions.
 *
 * <p>Each update of a row writes all its entries under a new stamp, and deletes those of the row
 * that it had read. Of two updates that read the same row, the later one wins the row, and the
 * entries of the other stay behind: they are told by their stamp, which is not the row's.
 *
 * @param <K> keys of rows
 * @param <V> rows
 * @param <X> keys of entries
 * @param <W> what an entry holds beside the row's key
 */
final class Entries<K, V, X, W> {
  /** A look-up that finds more leaves them to the next one. */
  private static final int MAX_CLEANED = 32;

  private final RampTable<K, Stamped<V>> rows;
  private final RampCollection<X, Stamped<K>, W> entries;
  private final BiFunction<K, V, Map<X, W>> entriesOf;

  Entries(
      RampTable<K, Stamped<V>> rows,
      RampCollection<X, Stamped<K>, W> entries,
      BiFunction<K, V, Map<X, W>> entriesOf) {
    this.rows = rows;
    this.entries = entries;
    this.entriesOf = entriesOf;
  }

  static <K, V, X, W> Entries<K, V, X, W> open(
      RampSession session,
      RowTable<K, V> rows,
      String entryTable,
      RampCodec<X> entryKeys,
      RampCodec<W> entryValues,
      BiFunction<K, V, Map<X, W>> entriesOf) {
    return new Entries<>(
        session.table(rows.name(), rows.keys(), Stamped.codec(rows.rows())),
        session.collection(entryTable, entryKeys, Stamped.codec(rows.keys()), entryValues),
        entriesOf);
  }

  RampRead want(RampRead read, Collection<? extends K> keys) {
    return read.get(rows, keys);
  }

  Optional<V> row(RampRows seen, K key) {
    return seen.get(rows, key).map(Stamped::value);
  }

  Optional<V> row(RampReader reader, K key) {
    return reader.get(rows, key).map(Stamped::value);
  }

  /** The row as it was read, if there was one. */
  Optional<Stamped<V>> old(RampRows seen, K key) {
    return seen.get(rows, key);
  }

  void put(Optional<Stamped<V>> old, RampTransaction into, K key, V value) {
    deleteEntries(old, into, key);
    Stamped<V> fresh = Stamped.fresh(value);
    into.put(rows, key, fresh);
    // All of them, those that stay the same too: what a row's last writer wrote is complete.
    entriesOf
        .apply(key, value)
        .forEach((x, w) -> into.put(entries, x, new Stamped<>(fresh.stamp(), key), w));
  }

  void delete(Optional<Stamped<V>> old, RampTransaction into, K key) {
    deleteEntries(old, into, key);
    into.delete(rows, key);
  }

  private void deleteEntries(Optional<Stamped<V>> old, RampTransaction into, K key) {
    old.ifPresent(
        row ->
            entriesOf
                .apply(key, row.value())
                .keySet()
                .forEach(x -> into.delete(entries, x, new Stamped<>(row.stamp(), key))));
  }

  /**
   * What is found under keys of entries.
   *
   * @param first a new read of the session, of what else is to be seen with it
   * @param more keys of rows to read with the entries; those found are added
   */
  Found<K, V, X, W> find(
      RampSession session, RampReader reader, RampRead first, Set<X> keys, Set<K> more) {
    keys.forEach(x -> first.items(entries, x));
    RampRows seen = reader.read(first.get(rows, more));
    Map<K, Stamped<V>> current = new LinkedHashMap<>();
    more.forEach(key -> seen.get(rows, key).ifPresent(row -> current.put(key, row)));
    Set<K> others = new LinkedHashSet<>();
    keys.forEach(x -> seen.items(entries, x).keySet().forEach(e -> others.add(e.value())));
    others.removeAll(more);
    if (!others.isEmpty()) {
      RampRows found = reader.read(session.read().get(rows, others));
      others.forEach(key -> found.get(rows, key).ifPresent(row -> current.put(key, row)));
    }
    Map<X, Map<K, Row<V, W>>> found = new LinkedHashMap<>();
    List<Stale<K, X>> stale = new ArrayList<>();
    for (X x : keys) {
      Map<K, Row<V, W>> under = new LinkedHashMap<>();
      seen.items(entries, x)
          .forEach(
              (entry, w) -> {
                Stamped<V> row = current.get(entry.value());
                if (row == null || !row.stamp().equals(entry.stamp())) {
                  stale.add(new Stale<>(x, entry));
                } else if (entriesOf.apply(entry.value(), row.value()).containsKey(x)) {
                  under.put(entry.value(), new Row<>(row.value(), w));
                }
              });
      found.put(x, under);
    }
    return new Found<>(seen, current, found, stale);
  }

  /** As the other one, in a read transaction of its own; what is out of date is cleaned. */
  Map<X, Map<K, Row<V, W>>> find(RampSession session, Set<X> keys) {
    Found<K, V, X, W> found =
        session.readTransaction(reader -> find(session, reader, session.read(), keys, Set.of()));
    clean(session, found.stale());
    return found.rows();
  }

  /** Under this key, whatever the rows say. */
  Map<K, W> listed(RampSession session, X x) {
    Map<K, W> listed = new LinkedHashMap<>();
    session.items(entries, x).forEach((entry, w) -> listed.put(entry.value(), w));
    return listed;
  }

  /**
   * Deletes entries whose row has been written since: its stamp never comes back, so they never
   * count again. Nobody waits for it, and if it fails the next one to find them tries again.
   */
  void clean(RampSession session, List<Stale<K, X>> stale) {
    for (Stale<K, X> one : stale.subList(0, Math.min(stale.size(), MAX_CLEANED))) {
      session
          .write()
          .delete(entries, one.key(), one.entry())
          .commitAsync()
          .whenComplete((timestamp, failure) -> {});
    }
  }

  /** Compares all rows with all entries. */
  Check compare(RampSession session, boolean mends) {
    return new Comparison<>(session.newSession(), rows, entries, entriesOf, mends).all();
  }

  /** Heals a transaction, and puts what its rows miss then. */
  Timestamp heal(RampSession session, LostVersionException lost) {
    Timestamp healed = session.heal(lost);
    Set<ItemKey> keys = new LinkedHashSet<>(lost.lost());
    keys.addAll(lost.survivors());
    new Comparison<>(session.newSession(), rows, entries, entriesOf, true).of(keys);
    return healed;
  }

  /** A row and what its entry holds. */
  record Row<V, W>(V value, W entry) {}

  /** An entry whose row has been written since, or deleted. */
  record Stale<K, X>(X key, Stamped<K> entry) {}

  /**
   * What a look-up saw.
   *
   * @param first what was read with the entries
   * @param current all rows that were read
   * @param rows those whose entry is right, by key of entries
   * @param stale entries that are not
   */
  record Found<K, V, X, W>(
      RampRows first,
      Map<K, Stamped<V>> current,
      Map<X, Map<K, Row<V, W>>> rows,
      List<Stale<K, X>> stale) {
    Optional<Stamped<V>> old(K key) {
      return Optional.ofNullable(current.get(key));
    }
  }
}
