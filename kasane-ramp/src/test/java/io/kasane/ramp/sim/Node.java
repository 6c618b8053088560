/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Timestamp;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One replica, which coordinates requests as well. */
final class Node {
  private static final long SYNC_MICROS = 10_000;
  private static final long BELIEVED_MICROS = 300_000;

  final int id;
  final int centre;
  private final boolean unsynced;
  private final boolean remembers;
  private final EventLoop loop;

  /** Null where there is none. */
  private NodeArena arena;

  private Map<ItemKey, ItemRows> rows = new HashMap<>();
  private Map<ItemKey, ItemRows> synced = new HashMap<>();
  private long syncedMicros;

  /** What each key has had since its storage was last damaged. */
  private final Map<ItemKey, Held> held = new HashMap<>();

  private boolean up = true;
  private int incarnation;
  private long crashedMicros;

  /** So many messages it still sends before it crashes; negative where it does not. */
  private int messagesLeft = -1;

  Node(int id, int centre, Climate climate, EventLoop loop) {
    this.id = id;
    this.centre = centre;
    this.unsynced = climate.unsynced();
    this.remembers = climate.mayLose();
    this.loop = loop;
  }

  /** From now on clients on its host may read an arena. */
  void open(NodeArena opened) {
    arena = opened;
  }

  /** The arena as clients on its host see it: they believe it for a while after its node died. */
  Optional<NodeArena> arena() {
    boolean isBelieved = up || loop.nowMicros() - crashedMicros < BELIEVED_MICROS;
    return Optional.ofNullable(isBelieved ? arena : null);
  }

  boolean isUp() {
    return up;
  }

  int incarnation() {
    return incarnation;
  }

  /** Others take some time to learn that it is down. */
  boolean seemsUp() {
    return up || loop.nowMicros() - crashedMicros < 3_000;
  }

  void crashAfter(int messages) {
    messagesLeft = messages;
  }

  /** Whether it is still there to send a message. */
  boolean mayStillSend() {
    if (up && messagesLeft >= 0 && messagesLeft-- == 0) {
      crash();
    }
    return up;
  }

  void crash() {
    if (up) {
      up = false;
      incarnation++;
      crashedMicros = loop.nowMicros();
      messagesLeft = -1;
      if (unsynced) {
        rows = new HashMap<>(synced);
        held.clear();
        rows.forEach(this::hold);
      }
      if (arena != null) {
        arena.die();
      }
    }
  }

  void start() {
    messagesLeft = -1;
    if (!up && arena != null) {
      arena.start();
    }
    up = true;
  }

  /** Applies a write that nobody waits for. */
  void apply(ItemKey key, ItemRows delta) {
    apply(key, delta, () -> {});
  }

  /**
   * Applies a write.
   *
   * @param told runs when whoever waits for it may be told; never if the node dies before
   */
  void apply(ItemKey key, ItemRows delta, Runnable told) {
    store(key, delta);
    if (arena == null || !NodeArena.holds(key)) {
      told.run();
    } else {
      arena.report(key, delta, told);
    }
  }

  /** Applies writes; {@code told} runs after all of them. */
  void applyAll(Map<ItemKey, ItemRows> deltas, Runnable told) {
    int[] left = {deltas.size()};
    deltas.forEach(
        (key, delta) ->
            apply(
                key,
                delta,
                () -> {
                  if (--left[0] == 0) {
                    told.run();
                  }
                }));
  }

  /** Gets rows past the write path, as SSTables. */
  void stream(Map<ItemKey, ItemRows> streamed) {
    streamed.forEach(this::store);
    if (arena != null) {
      arena.streamed(streamed.keySet());
    }
  }

  private void store(ItemKey key, ItemRows delta) {
    if (unsynced && loop.nowMicros() - syncedMicros > SYNC_MICROS) {
      sync();
    }
    ItemRows old = rows.getOrDefault(key, ItemRows.EMPTY);
    ItemRows merged = old.merge(delta);
    rows.put(key, merged);
    hold(key, merged);
  }

  private void sync() {
    synced = new HashMap<>(rows);
    syncedMicros = loop.nowMicros();
  }

  private void hold(ItemKey key, ItemRows item) {
    if (remembers) {
      held.computeIfAbsent(key, k -> new Held()).add(item, loop.nowMicros());
    }
  }

  /**
   * Whether it had that version, or a committed one above it, so many microseconds ago, and no
   * fault took it away.
   */
  boolean mustHave(ItemKey key, Timestamp timestamp, long agoMicros) {
    Held ofKey = held.get(key);
    return ofKey != null && ofKey.covers(timestamp, loop.nowMicros() - agoMicros);
  }

  ItemRows rows(ItemKey key) {
    return rows.getOrDefault(key, ItemRows.EMPTY);
  }

  Set<ItemKey> keys() {
    return rows.keySet();
  }

  /** The markers of all items of a partition. */
  Map<ItemKey, ItemRows> markers(String table, Bytes partition) {
    Map<ItemKey, ItemRows> found = new HashMap<>();
    rows.forEach(
        (key, item) -> {
          if (key.partition().equals(partition) && key.table().equals(table)) {
            found.put(key, item.markerOnly());
          }
        });
    return found;
  }

  Map<ItemKey, ItemRows> copyOfRows() {
    return new HashMap<>(rows);
  }

  /** Of these keys, all that it held is gone; it holds these rows, which are on disk. */
  void restore(Set<ItemKey> keys, Map<ItemKey, ItemRows> from) {
    if (arena == null) {
      replaceRows(keys, from);
    } else {
      arena.truncate(keys, () -> replaceRows(keys, from));
    }
  }

  private void replaceRows(Set<ItemKey> keys, Map<ItemKey, ItemRows> from) {
    for (ItemKey key : keys) {
      ItemRows restored = from.getOrDefault(key, ItemRows.EMPTY);
      rows.put(key, restored);
      held.remove(key);
      hold(key, restored);
    }
    sync();
  }

  void dropTombstones() {
    rows.replaceAll((key, item) -> item.withoutTombstones());
    sync();
  }

  @Override
  public String toString() {
    return "n" + id;
  }
}
