/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

import io.kasane.ramp.protocol.CollectionKey;
import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What clients do in one schedule.
 *
 * @param keys how many keys there are that are no items of a collection
 * @param items how many items the one collection has
 * @param clients how many client processes run at once
 * @param operations how many transactions each client runs
 * @param puts the share of transactions that write
 * @param deletions the share of written keys that are deleted
 * @param rests how often a client waits until what was deleted is purged
 * @param mixedModes whether clients write in modes of their own, instead of RAMP-Fast
 * @param maxFloors how many keys a session remembers
 * @param sweeps whether deletions may be left out of what a collection shows
 * @param checkMarkers whether puts look for newer markers
 * @param gcWindow how long overwritten versions are kept
 * @param gcGrace how long markers of deleted keys are kept
 * @param maxClockDrift how far timestamps may be ahead
 */
record Workload(
    int keys,
    int items,
    int clients,
    int operations,
    double puts,
    double deletions,
    double rests,
    boolean mixedModes,
    int maxFloors,
    boolean sweeps,
    boolean checkMarkers,
    Duration gcWindow,
    Duration gcGrace,
    Duration maxClockDrift) {
  static final Duration DEADLINE = Duration.ofMillis(100);
  static final String TABLE = "t";
  static final CollectionKey COLLECTION = new CollectionKey(TABLE, Bytes.utf8("c"));

  private static final List<ItemKey> KEYS = new ArrayList<>();
  private static final List<ItemKey> ITEMS = new ArrayList<>();

  static {
    for (int i = 0; i < 8; i++) {
      KEYS.add(new ItemKey(TABLE, Bytes.utf8("k" + i)));
      ITEMS.add(new ItemKey(TABLE, COLLECTION.partition(), Bytes.utf8("i" + i)));
    }
  }

  /** All keys, those of the collection last. */
  List<ItemKey> universe() {
    List<ItemKey> all = new ArrayList<>(KEYS.subList(0, keys));
    all.addAll(itemsOfCollection());
    return all;
  }

  List<ItemKey> itemsOfCollection() {
    return ITEMS.subList(0, items);
  }
}
