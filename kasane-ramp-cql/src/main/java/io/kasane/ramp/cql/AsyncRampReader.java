/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.protocol.ReadTransaction;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * The reads of one read transaction: all of them together are read-atomic, however many there are.
 * Stages complete on driver threads; one that fails must fail what the function returns.
 */
public final class AsyncRampReader {
  private final ReadTransaction transaction;

  AsyncRampReader(ReadTransaction transaction) {
    this.transaction = transaction;
  }

  /** Reads all that was collected. */
  public CompletionStage<RampRows> read(RampRead wanted) {
    return read(wanted.wanted());
  }

  /** The value of one key. */
  public <K, V> CompletionStage<Optional<V>> get(RampTable<K, V> table, K key) {
    return read(ReadSet.of(Set.of(table.keyOf(key)))).thenApply(rows -> rows.get(table, key));
  }

  /** All items of a collection, in the order of their bytes. */
  public <K, I, V> CompletionStage<Map<I, V>> items(RampCollection<K, I, V> collection, K key) {
    return read(ReadSet.of(collection.keyOf(key))).thenApply(rows -> rows.items(collection, key));
  }

  /** Some items of a collection; pages of one read transaction fit together. */
  public <K, I, V> CompletionStage<RampPage<I, V>> items(
      RampCollection<K, I, V> collection, K key, RampRange<I> range) {
    return read(ReadSet.of(range.of(collection, key)))
        .thenApply(rows -> rows.items(collection, key, range));
  }

  private CompletionStage<RampRows> read(ReadSet wanted) {
    return transaction.get(wanted).thenApply(result -> new RampRows(wanted, result));
  }
}
