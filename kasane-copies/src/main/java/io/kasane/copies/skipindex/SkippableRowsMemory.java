/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.skipindex;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds the memory of all tables together for what reads may leave out. A table may use what the
 * others do not, and always an equal share; one that has more when others grow forgets some at its
 * next heat period. Thread-safe.
 */
public final class SkippableRowsMemory {
  private final long allBytes;
  private final Map<Object, LongSupplier> usedBytes = new HashMap<>();

  public SkippableRowsMemory(long allBytes) {
    this.allBytes = allBytes;
  }

  /**
   * Another table.
   *
   * @param used what it uses now, bytes
   */
  public synchronized void add(Object table, LongSupplier used) {
    usedBytes.put(table, used);
  }

  public synchronized void remove(Object table) {
    usedBytes.remove(table);
  }

  /** What a table may use now, bytes. */
  public synchronized long bytesFor(Object table) {
    long others = 0;
    for (Map.Entry<Object, LongSupplier> each : usedBytes.entrySet()) {
      others += each.getKey() == table ? 0 : each.getValue().getAsLong();
    }
    return Math.max(allBytes / Math.max(1, usedBytes.size()), allBytes - others);
  }
}
