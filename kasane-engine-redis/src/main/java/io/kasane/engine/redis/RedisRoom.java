/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import io.kasane.engine.spi.EngineException;

/** What a server's log, and its data in memory, take, and have room for. Thread-safe. */
interface RedisRoom {
  /**
   * Makes sure that a batch fits.
   *
   * @param bytes of its keys and values
   * @throws EngineException if it does not
   */
  void requireRoom(long bytes);

  /** Keeps the log from growing without end, where that is not the server's own to do. */
  void lookOnceASecond();

  /** Returns what is on the disk. */
  long fileBytes();

  /** Returns what is in memory. */
  long memoryBytes();

  /** Returns what may be. */
  long capacityBytes();
}
