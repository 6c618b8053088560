/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.cassandra.db.lifecycle.Tracker;
import org.apache.cassandra.db.memtable.Memtable;

/**
 * Memtables whose flush left no SSTable of its own, since all their rows went to fast. Cassandra
 * tells indexes that a memtable is gone only with the SSTables that take its place, so they would
 * keep what they know of it for ever. Thread-safe.
 */
final class DiscardedMemtables {
  private final Tracker tracker;
  private final Queue<Memtable> flushing = new ConcurrentLinkedQueue<>();

  DiscardedMemtables(Tracker tracker) {
    this.tracker = tracker;
  }

  /** Its rows are on fast. */
  void add(Memtable flushed) {
    flushing.add(flushed);
  }

  /** Tells indexes of those whose flush has ended; before that queries need what they know. */
  void tell() {
    flushing.removeIf(
        flushed -> {
          boolean isGone = !tracker.getView().flushingMemtables.contains(flushed);
          if (isGone) {
            tracker.notifyDiscarded(flushed);
          }
          return isGone;
        });
  }
}
