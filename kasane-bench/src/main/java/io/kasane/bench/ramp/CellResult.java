/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.load.RunResult;
import io.kasane.bench.ramp.system.Systems;

/**
 * What a cell saw.
 *
 * @param run what its clients saw
 * @param versionsPerKey rows that a node keeps of a key after the run, mean of some keys
 * @param bytesPerKey what a node has on disk after the run, compressed, before it compacts
 * @param loadAverage the machine's, of the last minute, when the run ended
 */
record CellResult(
    Cell cell, RunResult run, double versionsPerKey, double bytesPerKey, double loadAverage) {
  /** This turn and a later one as one. */
  CellResult plus(CellResult later) {
    return new CellResult(
        cell, run.plus(later.run), later.versionsPerKey, later.bytesPerKey, later.loadAverage);
  }

  /** Whether the system kept its word. */
  boolean isRight() {
    boolean atomic = run.fracturedReads() == 0 || !Systems.promisesAtomicReads(cell.system());
    return atomic && run.incompleteReads() == 0;
  }
}
