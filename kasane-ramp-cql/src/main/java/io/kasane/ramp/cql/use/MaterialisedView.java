/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.Stages;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Timestamp;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A table, and a second one with what readers want of its rows, under another key. A row and its
 * copies are one transaction, so whoever reads both sees them agree.
 *
 * <p>A put reads the row that it replaces, to delete its copies. Two puts of one row at the same
 * time may both read the same one: the later wins the row, and the copy of the other stays. {@link
 * #rows} checks each copy against its row, passes over those left behind and deletes them. {@link
 * #copies} reads the view alone, in one round: enough where a row has one writer at a time, or
 * where its place in the view never changes.
 *
 * <p>What it does not give: aggregates (a view of sums or counts needs each change in order), and
 * joins. All copies under one key are one partition, read whole. The tables are written by way of
 * this class only.
 *
 * <p>Immutable and thread-safe; each call takes the session of the user whom it serves, waits, and
 * fails as sessions do. Its twin with {@code Async} at its end does not wait: its stage completes,
 * and the functions and codecs given here run, on threads that bring the answers, so they do not
 * wait either. What is wrong with the arguments is thrown by the call itself.
 *
 * @param <K> keys of rows
 * @param <V> rows
 * @param <X> keys of the view
 * @param <W> copies
 */
public final class MaterialisedView<K, V, X, W> implements Checkable {
  private final Entries<K, V, X, W> entries;

  private MaterialisedView(Entries<K, V, X, W> entries) {
    this.entries = entries;
  }

  /**
   * Opens the table and its view, which are made if they are missing.
   *
   * @param copiesOf what the view has of a row, by key of the view; always the same for the same
   *     row, and empty if it has nothing
   */
  public static <K, V, X, W> MaterialisedView<K, V, X, W> open(
      RampSession session,
      RowTable<K, V> table,
      String view,
      RampCodec<X> viewKeys,
      RampCodec<W> copies,
      BiFunction<K, V, Map<X, W>> copiesOf) {
    return new MaterialisedView<>(Entries.open(session, table, view, viewKeys, copies, copiesOf));
  }

  /** As {@link #open}. */
  public static <K, V, X, W> CompletionStage<MaterialisedView<K, V, X, W>> openAsync(
      RampSession session,
      RowTable<K, V> table,
      String view,
      RampCodec<X> viewKeys,
      RampCodec<W> copies,
      BiFunction<K, V, Map<X, W>> copiesOf) {
    return Stages.map(
        Entries.openAsync(session, table, view, viewKeys, copies, copiesOf), MaterialisedView::new);
  }

  /** The row under a key. */
  public Optional<V> get(RampSession session, K key) {
    return entries.row(want(session, key).run(), key);
  }

  /** As {@link #get}. */
  public CompletionStage<Optional<V>> getAsync(RampSession session, K key) {
    return Stages.map(want(session, key).runAsync(), seen -> entries.row(seen, key));
  }

  /** What the view has under a key of its own, by key of the row; checked against the rows. */
  public Map<K, W> rows(RampSession session, X key) {
    return copiesUnder(key, entries.find(session, Set.of(key)));
  }

  /** As {@link #rows}. */
  public CompletionStage<Map<K, W>> rowsAsync(RampSession session, X key) {
    return Stages.map(entries.findAsync(session, Set.of(key)), found -> copiesUnder(key, found));
  }

  /**
   * What the view has under a key of its own, by key of the row; not checked: copies may be among
   * them that a later put of their row, at the same time, did not know of.
   */
  public Map<K, W> copies(RampSession session, X key) {
    return entries.listed(session, key);
  }

  /** As {@link #copies}. */
  public CompletionStage<Map<K, W>> copiesAsync(RampSession session, X key) {
    return entries.listedAsync(session, key);
  }

  /** Puts a row with its copies. */
  public Timestamp put(RampSession session, K key, V row) {
    return session.readModifyWrite(want(session, key), putting(key, row));
  }

  /** As {@link #put}. */
  public CompletionStage<Timestamp> putAsync(RampSession session, K key, V row) {
    return session.readModifyWriteAsync(want(session, key), putting(key, row));
  }

  /** Deletes a row with its copies. */
  public Timestamp delete(RampSession session, K key) {
    return session.readModifyWrite(want(session, key), deleting(key));
  }

  /** As {@link #delete}. */
  public CompletionStage<Timestamp> deleteAsync(RampSession session, K key) {
    return session.readModifyWriteAsync(want(session, key), deleting(key));
  }

  private RampRead want(RampSession session, K key) {
    return entries.want(session.read(), List.of(key));
  }

  private BiConsumer<RampRows, RampTransaction> putting(K key, V row) {
    return (seen, transaction) -> entries.put(entries.old(seen, key), transaction, key, row);
  }

  private BiConsumer<RampRows, RampTransaction> deleting(K key) {
    return (seen, transaction) -> entries.delete(entries.old(seen, key), transaction, key);
  }

  private static <K, V, X, W> Map<K, W> copiesUnder(X key, Map<X, Map<K, LookUp.Row<V, W>>> found) {
    Map<K, W> copies = new LinkedHashMap<>();
    found.get(key).forEach((row, copy) -> copies.put(row, copy.entry()));
    return Collections.unmodifiableMap(copies);
  }

  /** A row for {@link RampSession#seed}. It is in the view once {@link #rebuild} ran after that. */
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
}
