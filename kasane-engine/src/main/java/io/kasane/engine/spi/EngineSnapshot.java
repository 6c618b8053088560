/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

import java.util.List;

/** A table at one moment. For one thread at a time, which need not be the one that opened it. */
public interface EngineSnapshot extends AutoCloseable {
  /** Returns the value of {@code key}, or null. The caller owns it. */
  byte[] get(byte[] key);

  /** Returns the value of each key, in their order; null where there is none. */
  List<byte[]> getAll(List<byte[]> keys);

  /**
   * Returns the entries of {@code range}, of which none is read before it is asked for.
   *
   * @param reversed the greatest key first
   */
  EngineCursor scan(KeyRange range, boolean reversed);

  /** Lets go of what it sees. Its cursors must have been closed before. */
  @Override
  void close();
}
