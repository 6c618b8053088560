/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Children that name a parent. A child and its place among its parent's children are one
 * transaction, and so are a parent and all children that are put or deleted with it: a reader sees
 * a family as one transaction left it.
 *
 * <p>What it does not give: <em>a parent deleted beside a child's insert dangles</em>. The insert
 * saw the parent, the deletion did not see the child, and neither waits for the other. So reads
 * hide children whose parent is gone; the row stays, and shows again if somebody puts the parent
 * again. In the same way two who replace one family at once may leave children of both, and there
 * are no aggregates: a parent that holds a sum of its children is right only where one writer at a
 * time changes the family.
 *
 * <p>Families are read, replaced and deleted whole, in one transaction each, so they are small: a
 * transaction over {@code maxSiblingBytes} (about 500 children) is refused. Both tables are written
 * by way of this class only.
 *
 * <p>Immutable and thread-safe; each call takes the session of the user whom it serves, waits, and
 * fails as sessions do.
 *
 * @param <P> keys of parents
 * @param <Q> parents
 * @param <C> keys of children
 * @param <V> children
 */
public final class ForeignKey<P, Q, C, V> implements Checkable {
  private final RampTable<P, Q> parents;
  private final Entries<C, V, P, Bytes> children;
  private final Function<V, P> parentOf;

  private ForeignKey(
      RampTable<P, Q> parents, Entries<C, V, P, Bytes> children, Function<V, P> parentOf) {
    this.parents = parents;
    this.children = children;
    this.parentOf = parentOf;
  }

  /**
   * Opens the children and the lists of whose they are, which are made if they are missing.
   *
   * @param parents open already
   * @param table of children
   * @param lists the table that lists each parent's children
   * @param parentOf whose child a row is
   */
  public static <P, Q, C, V> ForeignKey<P, Q, C, V> open(
      RampSession session,
      RampTable<P, Q> parents,
      RowTable<C, V> table,
      String lists,
      Function<V, P> parentOf) {
    Entries<C, V, P, Bytes> children =
        Entries.open(
            session,
            table,
            lists,
            parents.keys(),
            Codecs.blob(),
            (key, row) -> Map.of(parentOf.apply(row), Bytes.EMPTY));
    return new ForeignKey<>(parents, children, parentOf);
  }

  /** A child; empty if there is none, or its parent is gone. */
  public Optional<V> child(RampSession session, C key) {
    return session.readTransaction(
        reader ->
            children
                .row(reader, key)
                .filter(row -> reader.get(parents, parentOf.apply(row)).isPresent()));
  }

  /** A parent with its children; empty if there is no parent. */
  public Optional<Family<Q, C, V>> family(RampSession session, P key) {
    Entries.Found<C, V, P, Bytes> found = find(session, key, Set.of());
    children.clean(session, found.stale());
    Map<C, V> rows = new LinkedHashMap<>();
    found.rows().get(key).forEach((child, row) -> rows.put(child, row.value()));
    return found.first().get(parents, key).map(parent -> new Family<>(parent, rows));
  }

  /**
   * Puts a child, and takes it from the parent that it had.
   *
   * @return empty if its parent is not there, and then nothing is written
   */
  public Optional<Timestamp> putChild(RampSession session, C key, V row) {
    P parent = parentOf.apply(row);
    RampRead wanted = children.want(session.read().get(parents, List.of(parent)), List.of(key));
    Timestamp timestamp =
        session.readModifyWrite(
            wanted,
            (seen, transaction) -> {
              if (seen.get(parents, parent).isPresent()) {
                children.put(children.old(seen, key), transaction, key, row);
              }
            });
    return Optional.of(timestamp).filter(written -> !written.equals(Timestamp.NONE));
  }

  /** Deletes a child. */
  public Timestamp deleteChild(RampSession session, C key) {
    return session.readModifyWrite(
        children.want(session.read(), List.of(key)),
        (seen, transaction) -> children.delete(children.old(seen, key), transaction, key));
  }

  /**
   * Puts a parent with exactly these children; others that it had are deleted.
   *
   * @throws IllegalArgumentException if a child names another parent
   */
  public Timestamp put(RampSession session, P key, Q row, Map<C, V> rows) {
    rows.forEach(
        (child, childRow) -> {
          P named = parentOf.apply(childRow);
          if (!named.equals(key)) {
            throw new IllegalArgumentException(
                "child " + child + " names the parent " + named + ", not " + key);
          }
        });
    Entries.Found<C, V, P, Bytes> found = find(session, key, rows.keySet());
    RampTransaction transaction = session.write().put(parents, key, row);
    Set<C> gone = new HashSet<>(found.rows().get(key).keySet());
    gone.removeAll(rows.keySet());
    gone.forEach(child -> children.delete(found.old(child), transaction, child));
    rows.forEach((child, childRow) -> children.put(found.old(child), transaction, child, childRow));
    return transaction.commit();
  }

  /** Deletes a parent with all its children. */
  public Timestamp delete(RampSession session, P key) {
    Entries.Found<C, V, P, Bytes> found = find(session, key, Set.of());
    RampTransaction transaction = session.write().delete(parents, key);
    found
        .rows()
        .get(key)
        .keySet()
        .forEach(child -> children.delete(found.old(child), transaction, child));
    return transaction.commit();
  }

  @Override
  public Check verify(RampSession session) {
    return children.compare(session, false);
  }

  @Override
  public Check rebuild(RampSession session) {
    return children.compare(session, true);
  }

  @Override
  public Timestamp heal(RampSession session, LostVersionException lost) {
    return children.heal(session, lost);
  }

  /** The parent, its children, and rows of some more. */
  private Entries.Found<C, V, P, Bytes> find(RampSession session, P key, Set<C> more) {
    return session.readTransaction(
        reader ->
            children.find(
                session, reader, session.read().get(parents, List.of(key)), Set.of(key), more));
  }
}
