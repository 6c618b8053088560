/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import java.util.Map;
import java.util.Optional;

/**
 * The reads of one read transaction, which waits for each: all of them together are read-atomic,
 * however many there are. For the function that it is given to, and for its thread.
 */
public final class RampReader {
  private final AsyncRampReader reader;

  RampReader(AsyncRampReader reader) {
    this.reader = reader;
  }

  /** Reads all that was collected. */
  public RampRows read(RampRead wanted) {
    return Waiting.get("read", reader.read(wanted));
  }

  /** The value of one key. */
  public <K, V> Optional<V> get(RampTable<K, V> table, K key) {
    return Waiting.get("get", reader.get(table, key));
  }

  /** All items of a collection, in the order of their bytes. */
  public <K, I, V> Map<I, V> items(RampCollection<K, I, V> collection, K key) {
    return Waiting.get("items", reader.items(collection, key));
  }

  /** Some items of a collection; pages of one read transaction fit together. */
  public <K, I, V> RampPage<I, V> items(
      RampCollection<K, I, V> collection, K key, RampRange<I> range) {
    return Waiting.get("items", reader.items(collection, key, range));
  }
}
