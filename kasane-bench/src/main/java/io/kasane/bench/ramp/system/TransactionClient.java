/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

/**
 * One client of a {@link TransactionSystem}, used by one thread at a time. A transaction either
 * reads or writes.
 */
public interface TransactionClient extends AutoCloseable {
  /**
   * Reads.
   *
   * @param keys each once
   * @throws TransactionFailedException if any of them got no answer
   */
  Reading read(int[] keys);

  /**
   * Writes the same to all keys, stamped with a new transaction number.
   *
   * @param keys each once
   * @param payload not changed afterwards
   * @return the number
   * @throws TransactionFailedException if it is not known to be written
   */
  long write(int[] keys, byte[] payload);

  @Override
  void close();
}
