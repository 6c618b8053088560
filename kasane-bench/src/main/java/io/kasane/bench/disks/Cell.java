/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.disks;

import java.util.ArrayList;
import java.util.List;

/**
 * One way to use a disk: jobs that each ask for the next block when they have the last.
 *
 * @param sequential whether each job walks through a file of its own, or all jump about in one
 * @param write whether blocks are written (each forced to the disk) or read
 * @param jobs how many ask at once
 */
record Cell(boolean sequential, boolean write, int jobs) {
  private static final int RANDOM_BLOCK = 4 << 10;
  private static final int SEQUENTIAL_BLOCK = 1 << 20;

  static List<Cell> all() {
    List<Cell> cells = new ArrayList<>();
    for (boolean sequential : new boolean[] {false, true}) {
      for (boolean write : new boolean[] {false, true}) {
        for (int jobs : new int[] {1, 16}) {
          cells.add(new Cell(sequential, write, jobs));
        }
      }
    }
    return cells;
  }

  /** Large where sequential: a block is a request of its own then, whatever is read ahead. */
  int blockBytes() {
    return sequential ? SEQUENTIAL_BLOCK : RANDOM_BLOCK;
  }

  String label() {
    return (sequential ? "sequential" : "random")
        + (write ? " write, " : " read, ")
        + jobs
        + (jobs == 1 ? " job" : " jobs");
  }
}
