/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.AsyncRampReader;
import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampReader;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.Stages;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
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

  /** As {@link #open}; one table after the other, since clusters dislike two changes at once. */
  static <K, V, X, W> CompletionStage<Entries<K, V, X, W>> openAsync(
      RampSession session,
      RowTable<K, V> rows,
      String entryTable,
      RampCodec<X> entryKeys,
      RampCodec<W> entryValues,
      BiFunction<K, V, Map<X, W>> entriesOf) {
    return Stages.bare(
        session
            .tableAsync(rows.name(), rows.keys(), Stamped.codec(rows.rows()))
            .thenCompose(
                table ->
                    Stages.map(
                        session.collectionAsync(
                            entryTable, entryKeys, Stamped.codec(rows.keys()), entryValues),
                        entries -> new Entries<>(table, entries, entriesOf))));
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

  CompletionStage<Optional<V>> rowAsync(AsyncRampReader reader, K key) {
    return reader.get(rows, key).thenApply(row -> row.map(Stamped::value));
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

  /** A row, whose entries are missing until they are rebuilt. */
  Seed seed(K key, V value) {
    Bytes unstamped = rows.seed(key, Stamped.unstamped(value)).value();
    return rows.seed(key, Stamped.byContent(unstamped, value));
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
   * What is found under keys of entries, within a read transaction.
   *
   * @param first a new read of the session, of what else is to be seen with it
   * @param more keys of rows to read with the entries; those found are added
   */
  LookUp.Found<K, V, X, W> find(
      RampSession session, RampReader reader, RampRead first, Set<X> keys, Set<K> more) {
    return lookUp(keys, more).run(session, reader, first);
  }

  /** As {@link #find(RampSession, RampReader, RampRead, Set, Set)}. */
  CompletionStage<LookUp.Found<K, V, X, W>> findAsync(
      RampSession session, AsyncRampReader reader, RampRead first, Set<X> keys, Set<K> more) {
    return lookUp(keys, more).run(session, reader, first);
  }

  private LookUp<K, V, X, W> lookUp(Set<X> keys, Set<K> more) {
    return new LookUp<>(rows, entries, entriesOf, keys, more);
  }

  /** As the other one, in a read transaction of its own; what is out of date is cleaned. */
  Map<X, Map<K, LookUp.Row<V, W>>> find(RampSession session, Set<X> keys) {
    return cleaned(
        session,
        session.readTransaction(reader -> find(session, reader, session.read(), keys, Set.of())));
  }

  /** As {@link #find(RampSession, Set)}. */
  CompletionStage<Map<X, Map<K, LookUp.Row<V, W>>>> findAsync(RampSession session, Set<X> keys) {
    return Stages.map(
        session.readTransactionAsync(
            reader -> findAsync(session, reader, session.read(), keys, Set.of())),
        found -> cleaned(session, found));
  }

  private Map<X, Map<K, LookUp.Row<V, W>>> cleaned(
      RampSession session, LookUp.Found<K, V, X, W> found) {
    clean(session, found.stale());
    return found.rows();
  }

  /** Under this key, whatever the rows say. */
  Map<K, W> listed(RampSession session, X x) {
    return byRow(session.items(entries, x));
  }

  /** As {@link #listed}. */
  CompletionStage<Map<K, W>> listedAsync(RampSession session, X x) {
    return Stages.map(session.itemsAsync(entries, x), Entries::byRow);
  }

  private static <K, W> Map<K, W> byRow(Map<Stamped<K>, W> items) {
    Map<K, W> listed = new LinkedHashMap<>();
    items.forEach((entry, w) -> listed.put(entry.value(), w));
    return Collections.unmodifiableMap(listed);
  }

  /**
   * Deletes entries whose row has been written since: its stamp never comes back, so they never
   * count again. Nobody waits for it, and if it fails the next one to find them tries again.
   */
  void clean(RampSession session, List<LookUp.Stale<K, X>> stale) {
    for (LookUp.Stale<K, X> one : stale.subList(0, Math.min(stale.size(), MAX_CLEANED))) {
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
}
