/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.AsyncRampReader;
import io.kasane.ramp.cql.Codecs;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import io.kasane.ramp.cql.RampTransaction;
import io.kasane.ramp.cql.Seed;
import io.kasane.ramp.cql.Stages;
import io.kasane.ramp.protocol.LostVersionException;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.Timestamp;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
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
 * fails as sessions do. Its twin with {@code Async} at its end does not wait: its stage completes,
 * and the functions and codecs given here run, on threads that bring the answers, so they do not
 * wait either. What is wrong with the arguments is thrown by the call itself.
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
    return new ForeignKey<>(
        parents,
        Entries.open(session, table, lists, parents.keys(), Codecs.blob(), entriesOf(parentOf)),
        parentOf);
  }

  /** As {@link #open}. */
  public static <P, Q, C, V> CompletionStage<ForeignKey<P, Q, C, V>> openAsync(
      RampSession session,
      RampTable<P, Q> parents,
      RowTable<C, V> table,
      String lists,
      Function<V, P> parentOf) {
    return Stages.map(
        Entries.openAsync(
            session, table, lists, parents.keys(), Codecs.blob(), entriesOf(parentOf)),
        children -> new ForeignKey<>(parents, children, parentOf));
  }

  private static <P, C, V> BiFunction<C, V, Map<P, Bytes>> entriesOf(Function<V, P> parentOf) {
    return (key, row) -> Map.of(parentOf.apply(row), Bytes.EMPTY);
  }

  /** A child; empty if there is none, or its parent is gone. */
  public Optional<V> child(RampSession session, C key) {
    return session.readTransaction(
        reader ->
            children
                .row(reader, key)
                .filter(row -> reader.get(parents, parentOf.apply(row)).isPresent()));
  }

  /** As {@link #child}. */
  public CompletionStage<Optional<V>> childAsync(RampSession session, C key) {
    return session.readTransactionAsync(
        reader -> children.rowAsync(reader, key).thenCompose(row -> ofParent(reader, row)));
  }

  private CompletionStage<Optional<V>> ofParent(AsyncRampReader reader, Optional<V> row) {
    return row.isEmpty()
        ? CompletableFuture.completedStage(row)
        : reader
            .get(parents, parentOf.apply(row.get()))
            .thenApply(parent -> row.filter(child -> parent.isPresent()));
  }

  /** A parent with its children; empty if there is no parent. */
  public Optional<Family<Q, C, V>> family(RampSession session, P key) {
    return family(session, key, find(session, key, Set.of()));
  }

  /** As {@link #family}. */
  public CompletionStage<Optional<Family<Q, C, V>>> familyAsync(RampSession session, P key) {
    return Stages.map(findAsync(session, key, Set.of()), found -> family(session, key, found));
  }

  private Optional<Family<Q, C, V>> family(
      RampSession session, P key, LookUp.Found<C, V, P, Bytes> found) {
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
    return written(session.readModifyWrite(wantChild(session, key, row), puttingChild(key, row)));
  }

  /** As {@link #putChild}. */
  public CompletionStage<Optional<Timestamp>> putChildAsync(RampSession session, C key, V row) {
    return Stages.map(
        session.readModifyWriteAsync(wantChild(session, key, row), puttingChild(key, row)),
        ForeignKey::written);
  }

  private RampRead wantChild(RampSession session, C key, V row) {
    return children.want(session.read().get(parents, List.of(parentOf.apply(row))), List.of(key));
  }

  private BiConsumer<RampRows, RampTransaction> puttingChild(C key, V row) {
    P parent = parentOf.apply(row);
    return (seen, transaction) -> {
      if (seen.get(parents, parent).isPresent()) {
        children.put(children.old(seen, key), transaction, key, row);
      }
    };
  }

  private static Optional<Timestamp> written(Timestamp timestamp) {
    return Optional.of(timestamp).filter(written -> !written.equals(Timestamp.NONE));
  }

  /** Deletes a child. */
  public Timestamp deleteChild(RampSession session, C key) {
    return session.readModifyWrite(children.want(session.read(), List.of(key)), deletingChild(key));
  }

  /** As {@link #deleteChild}. */
  public CompletionStage<Timestamp> deleteChildAsync(RampSession session, C key) {
    return session.readModifyWriteAsync(
        children.want(session.read(), List.of(key)), deletingChild(key));
  }

  private BiConsumer<RampRows, RampTransaction> deletingChild(C key) {
    return (seen, transaction) -> children.delete(children.old(seen, key), transaction, key);
  }

  /**
   * Puts a parent with exactly these children; others that it had are deleted.
   *
   * @throws IllegalArgumentException if a child names another parent
   */
  public Timestamp put(RampSession session, P key, Q row, Map<C, V> rows) {
    requireParent(key, rows);
    return replacing(session, key, row, rows, find(session, key, rows.keySet())).commit();
  }

  /** As {@link #put}. */
  public CompletionStage<Timestamp> putAsync(RampSession session, P key, Q row, Map<C, V> rows) {
    requireParent(key, rows);
    // The caller may go on with his map before it is read.
    Map<C, V> copy = new LinkedHashMap<>(rows);
    return Stages.bare(
        findAsync(session, key, copy.keySet())
            .thenCompose(found -> replacing(session, key, row, copy, found).commitAsync()));
  }

  private void requireParent(P key, Map<C, V> rows) {
    rows.forEach(
        (child, childRow) -> {
          P named = parentOf.apply(childRow);
          if (!named.equals(key)) {
            throw new IllegalArgumentException(
                "child " + child + " names the parent " + named + ", not " + key);
          }
        });
  }

  private RampTransaction replacing(
      RampSession session, P key, Q row, Map<C, V> rows, LookUp.Found<C, V, P, Bytes> found) {
    RampTransaction transaction = session.write().put(parents, key, row);
    Set<C> gone = new HashSet<>(found.rows().get(key).keySet());
    gone.removeAll(rows.keySet());
    gone.forEach(child -> children.delete(found.old(child), transaction, child));
    rows.forEach((child, childRow) -> children.put(found.old(child), transaction, child, childRow));
    return transaction;
  }

  /** Deletes a parent with all its children. */
  public Timestamp delete(RampSession session, P key) {
    return deleting(session, key, find(session, key, Set.of())).commit();
  }

  /** As {@link #delete}. */
  public CompletionStage<Timestamp> deleteAsync(RampSession session, P key) {
    return Stages.bare(
        findAsync(session, key, Set.of())
            .thenCompose(found -> deleting(session, key, found).commitAsync()));
  }

  private RampTransaction deleting(RampSession session, P key, LookUp.Found<C, V, P, Bytes> found) {
    RampTransaction transaction = session.write().delete(parents, key);
    found
        .rows()
        .get(key)
        .keySet()
        .forEach(child -> children.delete(found.old(child), transaction, child));
    return transaction;
  }

  /**
   * A child for {@link RampSession#seed}. It is among its parent's children once {@link #rebuild}
   * ran after that.
   */
  public Seed seedChild(C key, V row) {
    return children.seed(key, row);
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
  private LookUp.Found<C, V, P, Bytes> find(RampSession session, P key, Set<C> more) {
    return session.readTransaction(
        reader -> children.find(session, reader, wantParent(session, key), Set.of(key), more));
  }

  private CompletionStage<LookUp.Found<C, V, P, Bytes>> findAsync(
      RampSession session, P key, Set<C> more) {
    return session.readTransactionAsync(
        reader -> children.findAsync(session, reader, wantParent(session, key), Set.of(key), more));
  }

  private RampRead wantParent(RampSession session, P key) {
    return session.read().get(parents, List.of(key));
  }
}
