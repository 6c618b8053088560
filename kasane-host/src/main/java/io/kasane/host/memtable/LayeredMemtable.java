/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.memtable;

import org.apache.cassandra.db.memtable.Memtable;

/** A memtable that answers reads from more than memory. */
public interface LayeredMemtable {
  /** Its rows in memory, which is what a flush writes. To read them asks nobody else. */
  Memtable inMemory();

  /** What holds the rows in memory of {@code memtable}, of whatever kind it is. */
  static Memtable inMemory(Memtable memtable) {
    return memtable instanceof LayeredMemtable layered ? layered.inMemory() : memtable;
  }
}
