/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.redis;

import java.io.IOException;
import java.time.Duration;

/** A Redis server with a database that is one engine's alone. Thread-safe. */
interface RespServer extends AutoCloseable {
  /**
   * Connects to it, and waits until it has read what it holds.
   *
   * @param maxStart for how long
   * @throws io.kasane.engine.spi.EngineException if it does not answer
   */
  RespConnection connect(Duration maxCall, Duration maxStart);

  /** Returns how often it was started, as far as that is known. */
  int starts();

  /**
   * Refuses a database that is another's, and settings that would lose what is written; ends
   * connections of a process that died, whose changes may still be under way.
   *
   * @param connection for changes from then on
   */
  void requireOwn(RespConnection connection) throws IOException;

  @Override
  void close();
}
