/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.AsyncRampReader;
import io.kasane.ramp.cql.RampCollection;
import io.kasane.ramp.cql.RampRead;
import io.kasane.ramp.cql.RampReader;
import io.kasane.ramp.cql.RampRows;
import io.kasane.ramp.cql.RampSession;
import io.kasane.ramp.cql.RampTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * A look-up in two reads of one read transaction: the entries under some keys, and the rows that
 * they name. Whoever waits for the reads and who does not take the same steps. Immutable.
 *
 * @param keys of entries
 * @param more keys of rows to read with the entries; those found are added
 */
record LookUp<K, V, X, W>(
    RampTable<K, Stamped<V>> rows,
    RampCollection<X, Stamped<K>, W> entries,
    BiFunction<K, V, Map<X, W>> entriesOf,
    Set<X> keys,
    Set<K> more) {

  /**
   * Reads, and waits.
   *
   * @param first a new read of the session, of what else is to be seen with it
   */
  Found<K, V, X, W> run(RampSession session, RampReader reader, RampRead first) {
    RampRows seen = reader.read(wanted(first));
    Set<K> others = others(seen);
    return found(
        seen, others, others.isEmpty() ? seen : reader.read(session.read().get(rows, others)));
  }

  /** As the other one, without waiting; what is between the reads is done where they come in. */
  CompletionStage<Found<K, V, X, W>> run(
      RampSession session, AsyncRampReader reader, RampRead first) {
    return reader
        .read(wanted(first))
        .thenCompose(
            seen -> {
              Set<K> others = others(seen);
              CompletionStage<RampRows> rest =
                  others.isEmpty()
                      ? CompletableFuture.completedStage(seen)
                      : reader.read(session.read().get(rows, others));
              return rest.thenApply(rowsOfOthers -> found(seen, others, rowsOfOthers));
            });
  }

  private RampRead wanted(RampRead read) {
    keys.forEach(x -> read.items(entries, x));
    return read.get(rows, more);
  }

  /** The rows that entries name and that are not read yet. */
  private Set<K> others(RampRows seen) {
    Set<K> others = new LinkedHashSet<>();
    keys.forEach(x -> seen.items(entries, x).keySet().forEach(e -> others.add(e.value())));
    others.removeAll(more);
    return others;
  }

  private Found<K, V, X, W> found(RampRows seen, Set<K> others, RampRows rowsOfOthers) {
    Map<K, Stamped<V>> current = new LinkedHashMap<>();
    more.forEach(key -> seen.get(rows, key).ifPresent(row -> current.put(key, row)));
    others.forEach(key -> rowsOfOthers.get(rows, key).ifPresent(row -> current.put(key, row)));
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
