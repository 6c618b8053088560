/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

/** A way to read or write several keys of one table in a transaction. Thread-safe. */
public interface TransactionSystem extends AutoCloseable {
  /** Connects one client: a thread that sends one transaction after another. */
  TransactionClient connect();

  /**
   * Waits, while no client sends anything, until nothing is left to do of what they sent: else
   * whoever comes next would pay for it.
   */
  default void settle() throws InterruptedException {}

  /** Ends what the system started; tables stay. */
  @Override
  void close();
}
