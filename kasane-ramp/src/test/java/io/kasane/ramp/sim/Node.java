/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** One replica, which coordinates requests as well. */
final class Node {
  private static final long SYNC_MICROS = 10_000;

  final int id;
  final int centre;
  private final boolean unsynced;
  private final EventLoop loop;

  private Map<ItemKey, ItemRows> rows = new HashMap<>();
  private Map<ItemKey, ItemRows> synced = new HashMap<>();
  private long syncedMicros;
  private boolean up = true;
  private int incarnation;
  private long crashedMicros;

  /** So many messages it still sends before it crashes; negative where it does not. */
  private int messagesLeft = -1;

  Node(int id, int centre, boolean unsynced, EventLoop loop) {
    this.id = id;
    this.centre = centre;
    this.unsynced = unsynced;
    this.loop = loop;
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
      }
    }
  }

  void start() {
    messagesLeft = -1;
    up = true;
  }

  void apply(ItemKey key, ItemRows delta) {
    if (unsynced && loop.nowMicros() - syncedMicros > SYNC_MICROS) {
      sync();
    }
    ItemRows old = rows.getOrDefault(key, ItemRows.EMPTY);
    rows.put(key, old.merge(delta));
  }

  private void sync() {
    synced = new HashMap<>(rows);
    syncedMicros = loop.nowMicros();
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

  /** All that it held is gone; it holds these rows, which are on disk. */
  void restore(Map<ItemKey, ItemRows> from) {
    rows = new HashMap<>(from);
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
