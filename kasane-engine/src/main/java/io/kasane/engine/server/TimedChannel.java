/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A connection on which nothing waits for longer than a deadline. For one thread. */
public interface TimedChannel extends AutoCloseable {
  /** Sets what all that follows may take together, until this is called again. */
  void within(Duration duration);

  /** Waits for one byte at least, and returns how many were read; -1 if there are no more. */
  int read(ByteBuffer in) throws IOException;

  /** Waits until all is handed over. */
  void write(ByteBuffer out) throws IOException;

  @Override
  void close();
}
