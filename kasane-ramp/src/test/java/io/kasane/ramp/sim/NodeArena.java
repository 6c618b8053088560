/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.store.Answer;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import io.kasane.ramp.version.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A replica's arena: committed versions of few keys, for clients on its host, kept in step with the
 * replica's storage by the rules of docs/design/arena.md that are not off. It hears of a write some
 * time after the storage has it, and fills take their time. Whatever it shows is held against what
 * the replica has acknowledged.
 */
final class NodeArena {
  private static final int SLOTS = 3;
  private static final long LATE_MICROS = 2_000;
  private static final long STEP_MICROS = 1_000;
  private static final double EVICTED = 0.1;

  private final Node node;
  private final EventLoop loop;
  private final Chance chance;
  private final Climate climate;
  private final List<String> findings;

  private final Map<ItemKey, Version> slots = new HashMap<>();
  private final Map<ItemKey, Long> changes = new HashMap<>();
  private final Set<ItemKey> filling = new HashSet<>();

  /** Truncations that have not ended. */
  private int truncations;

  /** Which start of the node it is of: what was begun before is forgotten. */
  private int life;

  /** The newest that the replica has told others that it has. */
  private final Map<ItemKey, Timestamp> acknowledged = new HashMap<>();

  /** All that the replica has had, and was not taken from it again. */
  private final Map<ItemKey, Set<Timestamp>> had = new HashMap<>();

  NodeArena(Node node, EventLoop loop, Chance chance, Climate climate, List<String> findings) {
    this.node = node;
    this.loop = loop;
    this.chance = chance;
    this.climate = climate;
    this.findings = findings;
  }

  private boolean keeps(StoreRule rule) {
    return climate.keeps(rule);
  }

  /** Items of collections are in no arena. */
  static boolean holds(ItemKey key) {
    return key.item().length() == 0;
  }

  // ---- what the storage tells

  /** The storage has it; whoever asked for that is told once the arena has heard of it. */
  void report(ItemKey key, ItemRows delta, Runnable told) {
    remember(key);
    if (delta.committed() != null && had.containsKey(key)) {
      had.get(key).add(delta.committed().timestamp()); // a later one may have come before it
    }
    if (!keeps(StoreRule.ARENA_HEARS_BEFORE_ACKNOWLEDGEMENT)) {
      acknowledge(key, delta);
      told.run();
      later(LATE_MICROS, () -> update(key, delta));
    } else if (chance.happens(0.5)) {
      hear(key, delta, told);
    } else {
      later(LATE_MICROS, () -> hear(key, delta, told));
    }
  }

  private void hear(ItemKey key, ItemRows delta, Runnable told) {
    update(key, delta);
    acknowledge(key, delta);
    told.run();
  }

  private void later(long mostMicros, Runnable task) {
    int begun = life;
    loop.after(
        chance.between(0, mostMicros),
        () -> {
          if (begun == life) {
            task.run();
          }
        });
  }

  private void update(ItemKey key, ItemRows delta) {
    changes.merge(key, 1L, Long::sum);
    if (delta.deletesMarker()) {
      if (keeps(StoreRule.ARENA_DELETION_EVICTS)) {
        slots.remove(key);
      }
      return;
    }
    Version version = delta.committed();
    Version slot = slots.get(key);
    if (version == null || (slot == null && keeps(StoreRule.ARENA_UPDATE_NEVER_INSERTS))) {
      return;
    }
    if (slot == null
        || version.timestamp().isAfter(slot.timestamp())
        || !keeps(StoreRule.ARENA_KEEPS_NEWER)) {
      put(key, version);
    }
    if (chance.happens(EVICTED)) {
      slots.remove(chance.oneOf(new ArrayList<>(slots.keySet())));
    }
  }

  private void put(ItemKey key, Version version) {
    if (!slots.containsKey(key) && slots.size() >= SLOTS) {
      slots.remove(chance.oneOf(new ArrayList<>(slots.keySet())));
    }
    slots.put(key, version);
  }

  /** Rows that came without a write: of a stream or a repair. */
  void streamed(Set<ItemKey> keys) {
    for (ItemKey key : keys) {
      remember(key);
      if (keeps(StoreRule.ARENA_STREAM_EVICTS)) {
        evict(key);
      }
      acknowledge(key, node.rows(key));
    }
  }

  private void evict(ItemKey key) {
    changes.merge(key, 1L, Long::sum);
    slots.remove(key);
  }

  /**
   * Rows go, and others come.
   *
   * @param change of the storage
   */
  void truncate(Set<ItemKey> keys, Runnable change) {
    truncations++;
    keys.forEach(this::evict);
    loop.after(
        STEP_MICROS,
        () -> {
          change.run();
          keys.forEach(this::forget);
          loop.after(STEP_MICROS, () -> endTruncation(keys));
        });
  }

  private void endTruncation(Set<ItemKey> keys) {
    if (keeps(StoreRule.ARENA_CLOSED_WHILE_TRUNCATED)) {
      keys.forEach(this::evict);
    }
    truncations--;
  }

  private boolean takesFills() {
    return truncations == 0 || !keeps(StoreRule.ARENA_CLOSED_WHILE_TRUNCATED);
  }

  /** The node has died, and shows what it showed. */
  void die() {
    life++;
  }

  /** The node starts, with a new file. */
  void start() {
    life++;
    filling.clear();
    if (keeps(StoreRule.ARENA_NEW_AT_START)) {
      slots.clear();
    }
    Set<ItemKey> keys = new HashSet<>(had.keySet());
    keys.addAll(node.keys());
    keys.forEach(this::forget);
  }

  // ---- fills

  /** A client's read has come to the storage. */
  void noteRead(ItemKey key) {
    if (!holds(key) || slots.containsKey(key) || !takesFills() || !filling.add(key)) {
      return;
    }
    later(
        STEP_MICROS,
        () -> {
          long ticket = changes.getOrDefault(key, 0L);
          later(
              STEP_MICROS,
              () -> {
                Version read = node.rows(key).committed();
                later(STEP_MICROS, () -> fill(key, read, ticket));
              });
        });
  }

  private void fill(ItemKey key, Version read, long ticket) {
    filling.remove(key);
    boolean isLate = changes.getOrDefault(key, 0L) != ticket;
    if (read == null || !takesFills() || (isLate && keeps(StoreRule.ARENA_FILLS_BY_TICKET))) {
      return;
    }
    Version slot = slots.get(key);
    if (slot == null || read.timestamp().isAfter(slot.timestamp())) {
      put(key, read);
    }
  }

  // ---- reads

  /** What a client on the host finds; nothing where it has to ask the node. */
  Optional<Answer> read(ItemKey key) {
    Version version = slots.get(key);
    Timestamp least = acknowledged.get(key);
    if (version == null) {
      if (keeps(StoreRule.ARENA_MISS_IS_NO_ABSENCE)) {
        return Optional.empty();
      }
      if (least != null) {
        found("nothing of " + key + ", and told of " + least);
      }
      return Optional.of(new Answer.Absent());
    }
    String shown = key + "@" + version.timestamp();
    if (least != null && least.isAfter(version.timestamp())) {
      found(shown + ", and told of " + least);
    }
    if (!had.getOrDefault(key, Set.of()).contains(version.timestamp())) {
      found(shown + ", which it does not have any more");
    }
    return Optional.of(new Answer.Present(version));
  }

  private void found(String shown) {
    findings.add("ARENA: " + node + " shows " + shown);
  }

  // ---- what it is held against

  private void remember(ItemKey key) {
    Version committed = node.rows(key).committed();
    if (committed != null) {
      had.computeIfAbsent(key, k -> new HashSet<>()).add(committed.timestamp());
    }
  }

  private void acknowledge(ItemKey key, ItemRows delta) {
    Version told = delta.committed();
    Version kept = node.rows(key).committed();
    if (delta.deletesMarker()) {
      forget(key);
    } else if (told != null && kept != null && !told.timestamp().isAfter(kept.timestamp())) {
      acknowledged.merge(key, told.timestamp(), Timestamp::max);
    } // else it was truncated meanwhile
  }

  /** Storage may have lost some of it: what counts is what it has now. */
  private void forget(ItemKey key) {
    had.remove(key);
    acknowledged.remove(key);
    remember(key);
    Version committed = node.rows(key).committed();
    if (committed != null) {
      acknowledged.put(key, committed.timestamp());
    }
  }
}
