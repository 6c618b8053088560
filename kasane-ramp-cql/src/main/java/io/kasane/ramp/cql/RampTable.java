/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;

/**
 * A table of one value a key, open in a {@link RampSession}. Immutable, and good in all sessions of
 * the same process and keyspace.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class RampTable<K, V> {
  private final String name;
  private final RampCodec<K> keys;
  private final RampCodec<V> values;

  RampTable(String name, RampCodec<K> keys, RampCodec<V> values) {
    this.name = name;
    this.keys = keys;
    this.values = values;
  }

  /** Its name in the keyspace. */
  public String name() {
    return name;
  }

  /** The codec of its keys. */
  public RampCodec<K> keys() {
    return keys;
  }

  /**
   * A value for {@link RampSession#seed}.
   *
   * @throws io.kasane.ramp.protocol.InvalidTransactionException if the key is over a limit
   */
  public Seed seed(K key, V value) {
    return new Seed(keyOf(key), bytesOf(value));
  }

  ItemKey keyOf(K key) {
    return new ItemKey(name, KeyBytes.ofKey(name, keys.encode(key)));
  }

  Bytes bytesOf(V value) {
    return values.encode(value);
  }

  V valueOf(Bytes bytes) {
    return values.decode(bytes);
  }

  @Override
  public String toString() {
    return name;
  }
}
