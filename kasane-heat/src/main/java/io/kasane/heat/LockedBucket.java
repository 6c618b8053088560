/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

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

  void unlock() {
    try {
      HeatBuckets.unlock(address, head);
    } finally {
      Reference.reachabilityFence(owner); // the memory is freed with the last who knows it
    }
  }
}
