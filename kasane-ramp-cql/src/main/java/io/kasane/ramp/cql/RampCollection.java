/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;

/**
 * A table of many items a key, open in a {@link RampSession}: items are added and removed blindly,
 * each by itself, and read together, all or some of them. Immutable, and good in all sessions of
 * the same process and keyspace.
 *
 * @param <K> keys
 * @param <I> items, each at most once under a key
 * @param <V> values of items
 */
public final class RampCollection<K, I, V> {
  private final String name;
  private final RampCodec<K> keys;
  private final RampCodec<I> items;
  private final RampCodec<V> values;

  RampCollection(String name, RampCodec<K> keys, RampCodec<I> items, RampCodec<V> values) {
    this.name = name;
    this.keys = keys;
    this.items = items;
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

  /** The codec of its items. */
  public RampCodec<I> items() {
    return items;
  }

  /**
   * An item for {@link RampSession#seed}.
   *
   * @throws io.kasane.ramp.protocol.InvalidTransactionException if key or item is over a limit
   */
  public Seed seed(K key, I item, V value) {
    return new Seed(keyOf(key, item), bytesOf(value));
  }

  CollectionKey keyOf(K key) {
    return new CollectionKey(name, KeyBytes.ofKey(name, keys.encode(key)));
  }

  ItemKey keyOf(K key, I item) {
    return new ItemKey(name, KeyBytes.ofKey(name, keys.encode(key)), bytesOfItem(item));
  }

  Bytes bytesOfItem(I item) {
    return KeyBytes.ofItem(name, items.encode(item));
  }

  I itemOf(Bytes bytes) {
    return items.decode(bytes);
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
