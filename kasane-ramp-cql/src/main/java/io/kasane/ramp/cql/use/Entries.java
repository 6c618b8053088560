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
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private Entries(
      RampTable<K, Stamped<V>> rows,
      RampCollection<X, Stamped<K>, W> entries,
      BiFunction<K, V, Map<X, W>> entriesOf) {
    this.rows = rows;
    this.entries = entries;
    this.entriesOf = entriesOf;
  }

  static <K, V, X, W> Entries<K, V, X, W> open(
      RampSession session,
      String rowTable,
      RampCodec<K> keys,
      RampCodec<V> values,
      String entryTable,
      RampCodec<X> entryKeys,
      RampCodec<W> entryValues,
      BiFunction<K, V, Map<X, W>> entriesOf) {
    return new Entries<>(
        session.table(rowTable, keys, Stamped.codec(values)),
        session.collection(entryTable, entryKeys, Stamped.codec(keys), entryValues),
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

  void put(RampRows seen, RampTransaction into, K key, V value) {
    deleteEntries(seen, into, key);
    Stamped<V> fresh = Stamped.fresh(value);
    into.put(rows, key, fresh);
    // All of them, those that stay the same too: what a row's last writer wrote is complete.
    entriesOf
        .apply(key, value)
        .forEach((x, w) -> into.put(entries, x, new Stamped<>(fresh.stamp(), key), w));
  }

  void delete(RampRows seen, RampTransaction into, K key) {
    deleteEntries(seen, into, key);
    into.delete(rows, key);
  }

  private void deleteEntries(RampRows seen, RampTransaction into, K key) {
    seen.get(rows, key)
        .ifPresent(
            old ->
                entriesOf
                    .apply(key, old.value())
                    .keySet()
                    .forEach(x -> into.delete(entries, x, new Stamped<>(old.stamp(), key))));
  }

  /** What is found under a key of entries, with some more rows. */
  Found<K, V, W> find(
      RampSession session, RampReader reader, X x, Collection<? extends K> moreRows) {
    Map<Stamped<K>, W> listed = reader.items(entries, x);
    RampRead read = session.read().get(rows, moreRows);
    listed.keySet().forEach(entry -> read.get(rows, List.of(entry.value())));
    RampRows seen = reader.read(read);
    Map<K, Row<V, W>> found = new LinkedHashMap<>();
    List<Stamped<K>> stale = new ArrayList<>();
    listed.forEach(
        (entry, w) -> {
          Optional<Stamped<V>> row = seen.get(rows, entry.value());
          if (row.isEmpty() || !row.get().stamp().equals(entry.stamp())) {
            stale.add(entry);
          } else if (entriesOf.apply(entry.value(), row.get().value()).containsKey(x)) {
            found.put(entry.value(), new Row<>(row.get().value(), w));
          }
        });
    return new Found<>(seen, found, stale);
  }

  /** As {@link #find}, in a read transaction of its own; what is out of date is cleaned. */
  Map<K, Row<V, W>> findAndClean(RampSession session, X x) {
    Found<K, V, W> found = session.readTransaction(reader -> find(session, reader, x, List.of()));
    clean(session, x, found.stale());
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
  void clean(RampSession session, X x, List<Stamped<K>> stale) {
    for (Stamped<K> entry : stale.subList(0, Math.min(stale.size(), MAX_CLEANED))) {
      session
          .write()
          .delete(entries, x, entry)
          .commitAsync()
          .whenComplete((timestamp, failure) -> {});
    }
  }

  /** A row and what its entry holds. */
  record Row<V, W>(V value, W entry) {}

  /**
   * @param seen all rows that were read
   * @param rows those whose entry is right
   * @param stale entries whose row has been written since, or deleted
   */
  record Found<K, V, W>(RampRows seen, Map<K, Row<V, W>> rows, List<Stamped<K>> stale) {}
}
