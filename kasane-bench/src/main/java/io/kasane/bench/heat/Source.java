/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Trace;
import java.util.function.Supplier;

/**
 * Accesses to replay.
 *
 * @param name in results
 * @param phases parts of equal length between which other keys are hot; 1 if that is not known
 * @param choices how many hot sets are chosen in the course of it
 * @param trace draws the accesses, the same ones at each call
 */
record Source(String name, int phases, int choices, Supplier<Trace> trace) {
  /** Whether the hot set changes completely, at once, at half time. */
  boolean shifts() {
    return phases == 2;
  }
}
