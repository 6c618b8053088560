/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCodec;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Timestamp;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * <p>What it does not give: aggregates (a view of sums or counts needs each change in order),
 * joins, and views of rows that were there before it. All copies under one key are one partition,
 * read whole. The tables are written by way of this class only.
 *
 * <p>Immutable and thread-safe; each call takes the session of the user whom it serves, waits, and
 * fails as sessions do.
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

  /** The row under a key. */
  public Optional<V> get(RampSession session, K key) {
    return entries.row(entries.want(session.read(), List.of(key)).run(), key);
  }

  /** What the view has under a key of its own, by key of the row; checked against the rows. */
  public Map<K, W> rows(RampSession session, X key) {
    Map<K, W> rows = new LinkedHashMap<>();
    entries
        .find(session, Set.of(key))
        .get(key)
        .forEach((row, found) -> rows.put(row, found.entry()));
    return Collections.unmodifiableMap(rows);
  }

  /**
   * What the view has under a key of its own, by key of the row; not checked: copies may be among
   * them that a later put of their row, at the same time, did not know of.
   */
  public Map<K, W> copies(RampSession session, X key) {
    return Collections.unmodifiableMap(entries.listed(session, key));
  }

  /** Puts a row with its copies. */
  public Timestamp put(RampSession session, K key, V row) {
    return session.readModifyWrite(
        entries.want(session.read(), List.of(key)),
        (seen, transaction) -> entries.put(entries.old(seen, key), transaction, key, row));
  }

  /** Deletes a row with its copies. */
  public Timestamp delete(RampSession session, K key) {
    return session.readModifyWrite(
        entries.want(session.read(), List.of(key)),
        (seen, transaction) -> entries.delete(entries.old(seen, key), transaction, key));
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
