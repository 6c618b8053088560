/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.lab;

import io.kasane.node.NodeException;

/** Whether this process has memory for an experiment. */
public final class Heap {
  private Heap() {}

  /**
   * Refuses what would take more than three quarters of this process's heap.
   *
   * @param experiment its command
   * @param purpose what takes the bytes
   * @throws NodeException that says how to start the experiment with more
   */
  public static void require(String experiment, String scale, String purpose, long bytes) {
    long most = Runtime.getRuntime().maxMemory();
    if (bytes > most * 3 / 4) {
      throw new NodeException(
          "--scale "
              + scale
              + ": "
              + purpose
              + " takes "
              + (bytes >> 20)
              + " MiB of this process's "
              + (most >> 20)
              + ". Start it with more: KASANE_HEAP="
              + (bytes * 2 / (1L << 30) + 1)
              + "g ./kasane bench "
              + experiment
              + " ...");
    }
  }
}
