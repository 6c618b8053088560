/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.spi;

/** Walks over the entries of a range, and stands before the first one at first. For one thread. */
public interface EngineCursor extends AutoCloseable {
  /** Goes to the next entry, and returns false if there is none; then it stays so. */
  boolean next();

  /** Returns the key of the entry that it stands on. The caller owns it. */
  byte[] key();

  /** Returns the value of the entry that it stands on. The caller owns it. */
  byte[] value();

  /** Lets go of it; {@link #next} returns false from now on. */
  @Override
  void close();
}
