/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The highest timestamp that a session saw or wrote, for a bounded number of keys. Thread-safe.
 *
 * <p>A settled floor's version is at a quorum of the replicas for certain, and may be forgotten
 * once the session reads from quorums. Others leave slowly: they hold until they are settled. A
 * claimed floor is what a token says; it holds for reads, and is not believed to be a time that
 * ever was until a read has met it.
 */
final class Floors {
  private final int maxKeys;
  private final LinkedHashMap<ItemKey, Floor> floors = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<ItemKey, Floor> leaving = new HashMap<>();
  private final Map<CollectionKey, Set<ItemKey>> items = new HashMap<>();
  private boolean overflowed;

  Floors(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  /**
   * Remembers a version.
   *
   * @param deletion whether it deleted the key
   */
  synchronized void raise(ItemKey key, Timestamp timestamp, boolean deletion, boolean settled) {
    raise(key, new Floor(timestamp, deletion, settled, false));
  }

  /** Remembers what a token says. */
  synchronized void claim(Entry entry) {
    raise(entry.key, new Floor(entry.timestamp, false, false, true));
  }

  private void raise(ItemKey key, Floor raised) {
    Floor fresh = raised;
    Floor left = leaving.remove(key);
    if (left != null) {
      fresh = left.above(fresh);
    }
    Floor old = floors.get(key);
    floors.put(key, old == null ? fresh : old.above(fresh));
    if (key.item().length() > 0) {
      items.computeIfAbsent(CollectionKey.of(key), c -> new HashSet<>()).add(key);
    }
    shrink();
  }

  /** What a get must not read below. Looked up in one order, since a look-up keeps a floor. */
  synchronized Map<ItemKey, Timestamp> of(ReadSet wanted) {
    Map<ItemKey, Timestamp> of = new HashMap<>();
    if (floors.isEmpty() && leaving.isEmpty()) {
      return of;
    }
    ReadSet.inOrder(wanted.keys()).forEach(key -> addTo(of, key));
    for (ItemRange range : wanted.ranges()) {
      items.getOrDefault(CollectionKey.of(range), Set.of()).stream()
          .filter(range::contains)
          .sorted()
          .forEach(key -> addTo(of, key));
    }
    return of;
  }

  /** Those of {@link #of} that are deletions. */
  synchronized Set<ItemKey> deletedOf(Set<ItemKey> keys) {
    return thoseOf(keys, Floor::deletion);
  }

  /** What a put to these keys must be above. */
  synchronized Timestamp highestOf(Set<ItemKey> keys) {
    Map<ItemKey, Timestamp> of = of(ReadSet.of(keys));
    return of.values().stream().reduce(Timestamp.NONE, Timestamp::max);
  }

  /** Those of the keys of whose floors a token alone knows. */
  synchronized Set<ItemKey> claimedOf(Set<ItemKey> keys) {
    return thoseOf(keys, Floor::claimed);
  }

  private Set<ItemKey> thoseOf(Set<ItemKey> keys, Predicate<Floor> isWanted) {
    Set<ItemKey> those = new HashSet<>();
    for (ItemKey key : keys) {
      Floor floor = floorOf(key);
      if (floor != null && isWanted.test(floor)) {
        those.add(key);
      }
    }
    return those;
  }

  /** The key was deleted so long ago that its version is forgotten. */
  synchronized void forget(ItemKey key, Timestamp upTo) {
    Floor floor = floors.get(key);
    if (floor != null && !floor.timestamp.isAfter(upTo)) {
      floors.remove(key);
    }
    settled(key, upTo);
    dropItem(key);
  }

  /** Floors that must be settled, so that they may be forgotten. */
  synchronized Map<ItemKey, Timestamp> leaving() {
    if (leaving.isEmpty()) {
      return Map.of();
    }
    Map<ItemKey, Timestamp> all = new TreeMap<>();
    leaving.forEach((key, floor) -> all.put(key, floor.timestamp));
    return all;
  }

  /** All versions of the key up to this one are at a quorum. */
  synchronized void settled(ItemKey key, Timestamp upTo) {
    Floor floor = leaving.get(key);
    if (floor != null && !floor.timestamp.isAfter(upTo)) {
      leaving.remove(key);
      dropItem(key);
    }
  }

  /** Whether anything was ever forgotten, so that the session reads from quorums only. */
  synchronized boolean overflowed() {
    return overflowed;
  }

  /** Whether so many floors wait to be settled that no more may be added. */
  synchronized boolean isFull() {
    return leaving.size() >= maxKeys;
  }

  synchronized void overflow() {
    overflowed = true;
  }

  /** All floors, those that leave among them. */
  synchronized List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    leaving.forEach((key, floor) -> entries.add(new Entry(key, floor.timestamp, floor.settled)));
    floors.forEach((key, floor) -> entries.add(new Entry(key, floor.timestamp, floor.settled)));
    return entries;
  }

  private void shrink() {
    while (floors.size() > maxKeys) {
      overflowed = true;
      Map.Entry<ItemKey, Floor> eldest = floors.entrySet().iterator().next();
      ItemKey key = eldest.getKey();
      Floor floor = eldest.getValue();
      floors.remove(key);
      if (floor.settled) {
        dropItem(key);
      } else {
        leaving.put(key, floor);
      }
    }
  }

  private void addTo(Map<ItemKey, Timestamp> of, ItemKey key) {
    Floor floor = floorOf(key);
    if (floor != null) {
      of.put(key, floor.timestamp);
    }
  }

  private Floor floorOf(ItemKey key) {
    Floor floor = floors.get(key);
    return floor == null ? leaving.get(key) : floor;
  }

  private void dropItem(ItemKey key) {
    if (key.item().length() > 0 && !floors.containsKey(key) && !leaving.containsKey(key)) {
      items.computeIfPresent(
          CollectionKey.of(key),
          (collection, keys) -> {
            keys.remove(key);
            return keys.isEmpty() ? null : keys;
          });
    }
  }

  /**
   * A floor.
   *
   * @param settled whether the version is at a quorum
   */
  record Entry(ItemKey key, Timestamp timestamp, boolean settled) {}

  private record Floor(Timestamp timestamp, boolean deletion, boolean settled, boolean claimed) {
    Floor above(Floor other) {
      if (timestamp.equals(other.timestamp)) {
        return new Floor(
            timestamp,
            deletion || other.deletion,
            settled || other.settled,
            claimed && other.claimed);
      }
      return timestamp.isAfter(other.timestamp) ? this : other;
    }
  }
}
