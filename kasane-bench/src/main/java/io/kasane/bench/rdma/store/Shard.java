/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.rdma.store;

import io.kasane.arena.ArenaKey;
import io.kasane.arena.ArenaVersion;
import io.kasane.arena.ArenaWriter;
import io.kasane.ramp.version.Timestamp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The versions of a server's keys, as bytes, which begin with their timestamps. What is committed
 * is shown in an arena besides, for whoever reads without asking. Not thread-safe.
 */
final class Shard {
  private static final class Item {
    /** Null where nothing is committed. */
    byte[] committed;

    Timestamp committedAt = Timestamp.NONE;
    final Map<Timestamp, byte[]> prepared = new HashMap<>(4);
  }

  private record Committed(ArenaKey key, Timestamp timestamp, long atNanos) {}

  private final Map<ArenaKey, Item> items = new HashMap<>();
  private final Deque<Committed> toCollect = new ArrayDeque<>();
  private final ArenaWriter arena;
  private final long windowNanos;

  /**
   * Without keys.
   *
   * @param arena where to show what is committed; null for nowhere
   * @param window how long prepared versions stay after one above them was committed
   */
  Shard(ArenaWriter arena, Duration window) {
    this.arena = arena;
    this.windowNanos = window.toNanos();
  }

  /** The committed version; null where there is none. Whoever reads it by asking wants a slot. */
  byte[] read(ArenaKey key) {
    Item item = items.get(key);
    if (item == null || item.committed == null) {
      return null;
    }
    if (arena != null && arena.noteRead(key)) {
      arena.fill(key, 0, shown(item), arena.ticket(key));
    }
    return item.committed;
  }

  /** A prepared version; null where there is none. */
  byte[] prepared(ArenaKey key, Timestamp timestamp) {
    Item item = items.get(key);
    return item == null ? null : item.prepared.get(timestamp);
  }

  void prepare(ArenaKey key, byte[] version) {
    item(key).prepared.put(timestamp(version), version);
  }

  /** Returns whether it can be told that this version or a later one is committed now. */
  boolean commit(ArenaKey key, Timestamp timestamp) {
    Item item = item(key);
    if (!timestamp.isAfter(item.committedAt)) {
      return true;
    }
    byte[] version = item.prepared.get(timestamp);
    if (version == null) {
      return false;
    }
    show(key, item, version);
    toCollect.add(new Committed(key, timestamp, System.nanoTime()));
    collect();
    return true;
  }

  /** Commits a version that need not be prepared. */
  void write(ArenaKey key, byte[] version) {
    Item item = item(key);
    if (timestamp(version).isAfter(item.committedAt)) {
      show(key, item, version);
    }
  }

  /** Nobody is told of a version before its slot has it. */
  private void show(ArenaKey key, Item item, byte[] version) {
    item.committed = version;
    item.committedAt = timestamp(version);
    if (arena != null) {
      arena.update(key, shown(item));
    }
  }

  /** A few, so that it never takes long. */
  private void collect() {
    long now = System.nanoTime();
    for (int more = 2; more > 0 && isDue(toCollect.peek(), now); more--) {
      Committed old = toCollect.remove();
      Item item = items.get(old.key);
      if (item != null) {
        item.prepared.keySet().removeIf(timestamp -> !timestamp.isAfter(old.timestamp));
      }
    }
  }

  private boolean isDue(Committed first, long now) {
    return first != null && now - first.atNanos > windowNanos;
  }

  void drop(ArenaKey key, Timestamp timestamp) {
    item(key).prepared.remove(timestamp);
  }

  void purge(ArenaKey key, Timestamp deletion) {
    Item item = items.get(key);
    if (item != null && item.committedAt.equals(deletion)) {
      item.prepared.keySet().removeIf(timestamp -> !timestamp.isAfter(deletion));
      item.committed = null;
      item.committedAt = Timestamp.NONE;
      if (arena != null) {
        arena.evict(key);
      }
    }
  }

  private Item item(ArenaKey key) {
    return items.computeIfAbsent(key, any -> new Item());
  }

  private static Timestamp timestamp(byte[] version) {
    return Timestamp.read(ByteBuffer.wrap(version));
  }

  private static ArenaVersion shown(Item item) {
    return new ArenaVersion(
        item.committedAt.micros(), item.committedAt.client(), ByteBuffer.wrap(item.committed));
  }
}
