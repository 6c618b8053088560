/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.node.NodeException;

/**
 * What clients do.
 *
 * @param keys how many there are
 * @param size how many of them a transaction reads or writes
 * @param readShare how many of the transactions read, 0 to 1
 * @param valueBytes what is written to each key, stamps aside
 * @param clients each a thread that sends one transaction after another
 * @param seed decides what is drawn
 */
public record TransactionLoad(
    int keys, int size, double readShare, int valueBytes, int clients, long seed) {
  /** Checks the numbers. */
  public TransactionLoad {
    require("keys", keys, 1, Integer.MAX_VALUE);
    require("transaction size", size, 1, keys);
    require("value bytes", valueBytes, 1, 1 << 20);
    require("clients", clients, 1, 4096);
    if (!(readShare >= 0 && readShare <= 1)) {
      throw new NodeException("read share: " + readShare + " is outside 0..1; 0.95 is usual");
    }
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new NodeException(
          name + ": " + value + " is outside " + least + ".." + most + "; choose one in between");
    }
  }
}
