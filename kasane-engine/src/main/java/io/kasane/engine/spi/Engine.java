/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.Set;

/**
 * An opened engine: tables of ordered keys, all on one disk. Thread-safe. Every method may throw an
 * {@link EngineException}, and may wait for a disk.
 */
public interface Engine extends AutoCloseable {
  /** Returns what keys and values it takes. */
  EngineLimits limits();

  /**
   * Returns a table, which is made if there is none of that name.
   *
   * @param name 1 to 511 bytes of UTF-8, of any characters
   */
  EngineTable table(String name);

  /** Returns the names of all tables that were made and not dropped. */
  Set<String> tables();

  /**
   * Waits until all batches that were applied before, and all tables that were dropped, are as
   * durable as the options ask for.
   */
  void sync();

  /** Returns what it takes now. */
  EngineUsage usage();

  /**
   * Closes it. Snapshots and cursors must have been closed before. What was applied and not synced
   * may be lost. Closing again does nothing.
   */
  @Override
  void close();
}
