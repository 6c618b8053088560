/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.protocol.ReadResult;
import io.kasane.ramp.protocol.ReadSet;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What a read saw: of each transaction all that concerns its keys, or nothing. Immutable. */
public final class RampRows {
  private final ReadSet wanted;
  private final ReadResult result;

  RampRows(ReadSet wanted, ReadResult result) {
    this.wanted = wanted;
    this.result = result;
  }

  /**
   * The value of a key that was read; empty where there is none or it was deleted.
   *
   * @throws IllegalArgumentException if the key was not read
   */
  public <K, V> Optional<V> get(RampTable<K, V> table, K key) {
    ItemKey wantedKey = table.keyOf(key);
    requireRead(wanted.keys().contains(wantedKey), table.name(), key);
    return value(wantedKey).map(table::valueOf);
  }

  /**
   * The value of an item that was read, alone or with its collection.
   *
   * @throws IllegalArgumentException if it was not read
   */
  public <K, I, V> Optional<V> item(RampCollection<K, I, V> collection, K key, I item) {
    ItemKey wantedKey = collection.keyOf(key, item);
    requireRead(
        wanted.keys().contains(wantedKey)
            || wanted.ranges().stream().anyMatch(range -> result.read(range).contains(wantedKey)),
        collection.name(),
        item);
    return value(wantedKey).map(collection::valueOf);
  }

  /**
   * All items of a collection that was read, in the order of their bytes.
   *
   * @throws IllegalArgumentException if the collection was not read whole
   */
  public <K, I, V> Map<I, V> items(RampCollection<K, I, V> collection, K key) {
    return items(collection, key, RampRange.all()).items();
  }

  /**
   * Some items of a collection.
   *
   * @param range as it was read
   * @throws IllegalArgumentException if it was not read
   */
  public <K, I, V> RampPage<I, V> items(
      RampCollection<K, I, V> collection, K key, RampRange<I> range) {
    ItemRange wantedRange = range.of(collection, key);
    requireRead(wanted.ranges().contains(wantedRange), collection.name(), key);
    NavigableMap<Bytes, Bytes> live = live(result.read(wantedRange));
    // Others may have named items that the page itself did not show.
    Optional<Bytes> next =
        live.keySet().stream()
            .skip(wantedRange.limit())
            .findFirst()
            .or(() -> result.nexts().get(wantedRange));
    Map<I, V> items = new LinkedHashMap<>();
    next.map(end -> live.headMap(end, false))
        .orElse(live)
        .forEach((item, value) -> items.put(collection.itemOf(item), collection.valueOf(value)));
    return new RampPage<>(items, next.map(item -> range.from(collection.itemOf(item), item)));
  }

  private NavigableMap<Bytes, Bytes> live(ItemRange range) {
    NavigableMap<Bytes, Bytes> live = new TreeMap<>();
    result
        .versions()
        .forEach(
            (key, version) -> {
              if (key.item().length() > 0 && range.contains(key)) {
                version.value().ifPresent(value -> live.put(key.item(), value));
              }
            });
    return live;
  }

  /** The rounds of the protocol; a page of a collection is read by several questions in one. */
  public int rounds() {
    return result.rounds();
  }

  private Optional<Bytes> value(ItemKey key) {
    return Optional.ofNullable(result.versions().get(key)).flatMap(Version::value);
  }

  private static void requireRead(boolean read, String table, Object key) {
    if (!read) {
      throw new IllegalArgumentException(
          key + " of " + table + " is not among what was read; add it to the read");
    }
  }
}
