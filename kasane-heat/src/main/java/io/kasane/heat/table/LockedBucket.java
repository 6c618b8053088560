/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.table;

import java.lang.ref.Reference;

/** A bucket whose lock is held. Not thread-safe. */
final class LockedBucket {
  long head;
  private final HeatBuckets owner;
  private final long address;

  LockedBucket(HeatBuckets owner, long address) {
    this.owner = owner;
    this.address = address;
  }

  int entries() {
    return HeatBuckets.entries(head);
  }

  long entry(int slot) {
    return HeatBuckets.entry(address, slot);
  }

  void set(int slot, long entry) {
    HeatBuckets.set(address, slot, entry);
  }

  void add(long entry) {
    int entries = entries();
    set(entries, entry);
    head = HeatBuckets.withEntries(head, entries + 1);
  }

  int find(long key) {
    return HeatBuckets.find(address, entries(), key);
  }

  /** Ages all entries to a time; those of which nothing is left are gone. */
  void catchUp(long now) {
    long then = HeatBuckets.time(head);
    if (then == now) {
      return;
    }
    int kept = 0;
    for (int slot = 0; slot < entries(); slot++) {
      long entry = caughtUp(entry(slot), then, now);
      if (entry != 0) {
        set(kept++, entry);
      }
    }
    head = HeatBuckets.withTime(HeatBuckets.withEntries(head, kept), now);
  }

  /** The entry at a later time; 0 if nothing is left. */
  static long caughtUp(long entry, long then, long now) {
    long aged = HeatEntry.halved(entry, HeatBuckets.halvingsBetween(then, now));
    int periods = HeatBuckets.periodsBetween(then, now);
    return aged == 0 || periods == 0 ? aged : HeatEntry.later(aged, periods);
  }

  void unlock() {
    try {
      HeatBuckets.unlock(address, head);
    } finally {
      Reference.reachabilityFence(owner); // the memory is freed with the last who knows it
    }
  }
}
