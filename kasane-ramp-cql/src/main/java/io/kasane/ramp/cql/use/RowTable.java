/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.use;

import io.kasane.ramp.cql.RampCodec;
import java.util.Objects;

/**
 * A table of rows that a class of this package keeps.
 *
 * @param name its name in the keyspace
 * @param keys the codec of its keys
 * @param rows the codec of its rows
 * @param <K> keys
 * @param <V> rows
 */
public record RowTable<K, V>(String name, RampCodec<K> keys, RampCodec<V> rows) {
  /** All three are there. */
  public RowTable {
    Objects.requireNonNull(name);
    Objects.requireNonNull(keys);
    Objects.requireNonNull(rows);
  }

  /** A table of that name. */
  public static <K, V> RowTable<K, V> of(String name, RampCodec<K> keys, RampCodec<V> rows) {
    return new RowTable<>(name, keys, rows);
  }
}
