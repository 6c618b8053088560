/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.List;

/**
 * Keys in ascending order of their unsigned bytes, a prefix before what it begins, and a value
 * each. Thread-safe.
 */
public interface EngineTable {
  /**
   * Returns what the table holds now, for reading. It does not change while it is open, and keeps
   * what it holds on the disk: close it soon.
   */
  EngineSnapshot snapshot();

  /**
   * Returns the value of each key as it is now, in their order; null where there is none. All are
   * of one moment. Engines for which a snapshot is a call of its own answer it in one.
   */
  default List<byte[]> getAll(List<byte[]> keys) {
    try (EngineSnapshot snapshot = snapshot()) {
      return snapshot.getAll(keys);
    }
  }

  /**
   * Applies all of a batch, or nothing: snapshots see it whole from now on. Batches of all tables
   * reach the disk in the order in which they were applied.
   *
   * @throws EngineException of kind {@link EngineException.Kind#FULL} if there is no room; {@link
   *     IllegalArgumentException} if a key or value is longer than the limits
   */
  void apply(EngineBatch batch);

  /** Returns about how much it holds. */
  Size size();

  /** Drops all of it. Snapshots that are open keep what they see; nothing else may be done then. */
  void drop();

  /**
   * About how much a table holds.
   *
   * @param entries keys, each of which counts
   * @param bytes on the disk
   */
  record Size(long entries, long bytes) {}
}
