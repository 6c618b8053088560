/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.AsyncRampReader;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampReader;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.Stages;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A table whose rows are also found by what is in them. A row and its entries are one transaction,
 * so a look-up misses no row whose put was acknowledged, and returns no row that does not match:
 * index and rows are read in one read transaction, and each entry is checked against its row.
 *
 * <p>A put reads the row that it replaces, to delete its entries. Two puts of one key at the same
 * time may both read the same one: the later wins the row, as everywhere, and the entries of the
 * other stay. Look-ups pass over them, and delete them beside their answer.
 *
 * <p>What it does not give: uniqueness (two may put the same value under two keys at once), ranges
 * of values, and aggregates: a count that many change is no entry. All entries of one value are one
 * partition, read whole: index what divides the rows well. Deleted entries are read over until they
 * are more than the live ones, then swept out of the way.
 *
 * <p>Several indexes of one table are one index, whose values say what they are: {@code
 * city=Kyoto}, {@code born=1984}. The table is written by way of this class only.
 *
 * <p>Immutable and thread-safe; each call takes the session of the user whom it serves, waits, and
 * fails as sessions do. Its twin with {@code Async} at its end does not wait: its stage completes,
 * and the functions and codecs given here run, on threads that bring the answers, so they do not
 * wait either. What is wrong with the arguments is thrown by the call itself.
 *
 * @param <K> keys
 * @param <V> rows
 * @param <X> values that rows are found by
 */
public final class SecondaryIndex<K, V, X> implements Checkable {
  private final Entries<K, V, X, Bytes> entries;

  private SecondaryIndex(Entries<K, V, X, Bytes> entries) {
    this.entries = entries;
  }

  /**
   * Opens the table and its index, which are made if they are missing.
   *
   * @param valuesOf what a row is found by, always the same for the same row; a row with none is
   *     found by its key only
   */
  public static <K, V, X> SecondaryIndex<K, V, X> open(
      RampSession session,
      RowTable<K, V> table,
      String index,
      RampCodec<X> values,
      Function<V, Set<X>> valuesOf) {
    return new SecondaryIndex<>(
        Entries.open(session, table, index, values, Codecs.blob(), entriesOf(valuesOf)));
  }

  /** As {@link #open}. */
  public static <K, V, X> CompletionStage<SecondaryIndex<K, V, X>> openAsync(
      RampSession session,
      RowTable<K, V> table,
      String index,
      RampCodec<X> values,
      Function<V, Set<X>> valuesOf) {
    return Stages.map(
        Entries.openAsync(session, table, index, values, Codecs.blob(), entriesOf(valuesOf)),
        SecondaryIndex::new);
  }

  private static <K, V, X> BiFunction<K, V, Map<X, Bytes>> entriesOf(Function<V, Set<X>> valuesOf) {
    return (key, row) ->
        valuesOf.apply(row).stream().collect(Collectors.toMap(x -> x, x -> Bytes.EMPTY));
  }

  /** The row under a key. */
  public Optional<V> get(RampSession session, K key) {
    return entries.row(want(session.read(), List.of(key)).run(), key);
  }

  /** As {@link #get}. */
  public CompletionStage<Optional<V>> getAsync(RampSession session, K key) {
    return Stages.map(
        want(session.read(), List.of(key)).runAsync(), seen -> entries.row(seen, key));
  }

  /** The rows that have the value, by key, in the order of the keys' bytes. */
  public Map<K, V> find(RampSession session, X value) {
    return findAll(session, Set.of(value)).get(value);
  }

  /** As {@link #find(RampSession, Object)}. */
  public CompletionStage<Map<K, V>> findAsync(RampSession session, X value) {
    return Stages.map(findAllAsync(session, Set.of(value)), found -> found.get(value));
  }

  /** The rows that have each of the values, all as they were at one moment. */
  public Map<X, Map<K, V>> findAll(RampSession session, Set<X> values) {
    return rowsByValue(entries.find(session, values));
  }

  /** As {@link #findAll}. */
  public CompletionStage<Map<X, Map<K, V>>> findAllAsync(RampSession session, Set<X> values) {
    return Stages.map(
        entries.findAsync(session, new LinkedHashSet<>(values)), SecondaryIndex::rowsByValue);
  }

  /**
   * As {@link #find(RampSession, Object)}, within a read transaction of the session that reads
   * more.
   */
  public Map<K, V> find(RampSession session, RampReader reader, X value) {
    return rows(
        entries.find(session, reader, session.read(), Set.of(value), Set.of()).rows().get(value));
  }

  /** As {@link #find(RampSession, RampReader, Object)}. */
  public CompletionStage<Map<K, V>> findAsync(
      RampSession session, AsyncRampReader reader, X value) {
    return entries
        .findAsync(session, reader, session.read(), Set.of(value), Set.of())
        .thenApply(found -> rows(found.rows().get(value)));
  }

  /** Puts a row with its entries. */
  public Timestamp put(RampSession session, K key, V row) {
    return put(session, Map.of(key, row));
  }

  /** As {@link #put(RampSession, Object, Object)}. */
  public CompletionStage<Timestamp> putAsync(RampSession session, K key, V row) {
    return putAsync(session, Map.of(key, row));
  }

  /** Puts rows with their entries, all in one transaction. */
  public Timestamp put(RampSession session, Map<K, V> rows) {
    return session.readModifyWrite(want(session.read(), rows.keySet()), putting(rows));
  }

  /** As {@link #put(RampSession, Map)}. */
  public CompletionStage<Timestamp> putAsync(RampSession session, Map<K, V> rows) {
    return session.readModifyWriteAsync(want(session.read(), rows.keySet()), putting(rows));
  }

  /** Of a copy, since the caller may go on with his map before it is read. */
  private BiConsumer<RampRows, RampTransaction> putting(Map<K, V> rows) {
    Map<K, V> copy = new LinkedHashMap<>(rows);
    return (seen, transaction) -> copy.forEach((key, row) -> put(seen, transaction, key, row));
  }

  /** Deletes a row with its entries. */
  public Timestamp delete(RampSession session, K key) {
    return session.readModifyWrite(
        want(session.read(), List.of(key)), (seen, transaction) -> delete(seen, transaction, key));
  }

  /** As {@link #delete(RampSession, Object)}. */
  public CompletionStage<Timestamp> deleteAsync(RampSession session, K key) {
    return session.readModifyWriteAsync(
        want(session.read(), List.of(key)), (seen, transaction) -> delete(seen, transaction, key));
  }

  /** Adds rows to a read, for a {@link #put(RampRows, RampTransaction, Object, Object)} to come. */
  public RampRead want(RampRead read, Iterable<? extends K> keys) {
    keys.forEach(key -> entries.want(read, List.of(key)));
    return read;
  }

  /**
   * Adds a row with its entries to a transaction that does more.
   *
   * @param seen a read of which {@link #want} was part
   */
  public void put(RampRows seen, RampTransaction into, K key, V row) {
    entries.put(entries.old(seen, key), into, key, row);
  }

  /** As {@link #put(RampRows, RampTransaction, Object, Object)}, to delete a row. */
  public void delete(RampRows seen, RampTransaction into, K key) {
    entries.delete(entries.old(seen, key), into, key);
  }

  /**
   * A row for {@link RampSession#seed}. It is found by its values once {@link #rebuild} ran after
   * that.
   */
  public Seed seed(K key, V row) {
    return entries.seed(key, row);
  }

  @Override
  public Check verify(RampSession session) {
    return entries.compare(session, false);
  }

  @Override
  public Check rebuild(RampSession session) {
    return entries.compare(session, true);
  }

  @Override
  public Timestamp heal(RampSession session, LostVersionException lost) {
    return entries.heal(session, lost);
  }

  private static <K, V, X> Map<X, Map<K, V>> rowsByValue(
      Map<X, Map<K, LookUp.Row<V, Bytes>>> found) {
    Map<X, Map<K, V>> all = new LinkedHashMap<>();
    found.forEach((value, rows) -> all.put(value, rows(rows)));
    return Collections.unmodifiableMap(all);
  }

  private static <K, V> Map<K, V> rows(Map<K, LookUp.Row<V, Bytes>> found) {
    Map<K, V> rows = new LinkedHashMap<>();
    found.forEach((key, row) -> rows.put(key, row.value()));
    return Collections.unmodifiableMap(rows);
  }
}
