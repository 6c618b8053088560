/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.config.Config.MemtableAllocationType;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Memtables that were switched out and not discarded. While a read hangs, Cassandra does not
 * discard memtables that the table flushes after it began. If they are on the heap, their memory
 * can be freed all the same: a reader keeps the objects that it uses. Thread-safe.
 */
public final class SwitchedMemtables {
  /** Of those that new reads do not see any more: since when; else null. */
  private final Map<EngineMemtable, Long> replacedNanos =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** None yet. */
  public SwitchedMemtables() {}

  void add(EngineMemtable memtable) {
    replacedNanos.put(memtable, null);
  }

  void remove(EngineMemtable memtable) {
    replacedNanos.remove(memtable);
  }

  /**
   * Frees the memory of those that no read sees any more but one that hangs: whoever met one before
   * it was flushed has ended since, or nobody waits for it. To be called again and again.
   */
  public void free() {
    MemtableAllocationType type = DatabaseDescriptor.getMemtableAllocationType();
    if (type == MemtableAllocationType.offheap_buffers
        || type == MemtableAllocationType.offheap_objects) {
      return;
    }
    long now = System.nanoTime();
    List<EngineMemtable> all;
    synchronized (replacedNanos) {
      all = new ArrayList<>(replacedNanos.keySet());
    }
    for (EngineMemtable memtable : all) {
      Long since = replacedNanos.get(memtable);
      if (since == null && memtable.isReplaced()) {
        replacedNanos.replace(memtable, now);
      } else if (since != null && now - since > longestRead().toNanos()) {
        memtable.free();
      }
    }
  }

  private static Duration longestRead() {
    long millis =
        Math.max(
            DatabaseDescriptor.getReadRpcTimeout(TimeUnit.MILLISECONDS),
            DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.MILLISECONDS));
    return Duration.ofMillis(millis).multipliedBy(2);
  }
}
