/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.memtable;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.config.Config.MemtableAllocationType;
import org.apache.cassandra.config.DatabaseDescriptor;

/**
 * Memtables that were switched out and not discarded. While a read hangs, Cassandra discards none
 * that the table flushes meanwhile; their memory can be freed all the same where it is the heap's,
 * since who still reads it keeps what it reads. Thread-safe.
 */
public final class SwitchedOut {
  private final Set<EngineMemtable> memtables = ConcurrentHashMap.newKeySet();

  /** None yet. */
  public SwitchedOut() {}

  void add(EngineMemtable memtable) {
    memtables.add(memtable);
  }

  void remove(EngineMemtable memtable) {
    memtables.remove(memtable);
  }

  /** Frees the memory of those that new reads do not see any more. */
  public void free() {
    MemtableAllocationType type = DatabaseDescriptor.getMemtableAllocationType();
    if (type != MemtableAllocationType.offheap_buffers
        && type != MemtableAllocationType.offheap_objects) {
      memtables.stream().filter(EngineMemtable::isReplaced).forEach(EngineMemtable::free);
    }
  }
}
