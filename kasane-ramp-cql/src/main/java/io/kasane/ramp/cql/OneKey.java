/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** What is read and written of one key. */
final class OneKey {
  private OneKey() {}

  /** Puts what the function gives, or deletes the key where it gives nothing. */
  static <K, V> BiConsumer<RampRows, RampTransaction> change(
      RampTable<K, V> table, K key, UnaryOperator<Optional<V>> change) {
    return (rows, transaction) ->
        change
            .apply(rows.get(table, key))
            .ifPresentOrElse(
                value -> transaction.put(table, key, value), () -> transaction.delete(table, key));
  }
}
