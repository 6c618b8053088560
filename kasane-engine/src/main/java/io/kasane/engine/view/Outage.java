/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.view;

import io.kasane.engine.health.CircuitBreaker;

/**
 * Whether an engine is out for reads or writes, since when and why.
 *
 * @param reason why it is out, in either; null if it is in neither
 * @param outSeconds since when, the longer of both
 * @param failures of calls and probes, of both
 */
record Outage(String reason, long outSeconds, long failures) {

  static Outage of(CircuitBreaker.State reads, CircuitBreaker.State writes) {
    return new Outage(
        reason(reads.reason(), writes.reason()),
        Math.max(reads.outFor().toSeconds(), writes.outFor().toSeconds()),
        reads.failures() + writes.failures());
  }

  private static String reason(String reads, String writes) {
    if (reads == null || reads.equals(writes)) {
      return writes;
    }
    return writes == null ? reads : "reads: " + reads + "; writes: " + writes;
  }
}
