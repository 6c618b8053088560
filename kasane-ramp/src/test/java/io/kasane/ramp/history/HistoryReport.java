/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.List;
import java.util.Map;

/**
 * What a check came to.
 *
 * @param puts how many transactions write
 * @param gets how many read
 * @param keysAtRest how many keys were read when all was at rest
 * @param counts how often each anomaly was found; none where it was not
 * @param violations the first ones, {@link TransactionChecks#MAX_VIOLATIONS} at most
 */
public record HistoryReport(
    long puts, long gets, long keysAtRest, Map<Anomaly, Long> counts, List<Violation> violations) {
  /** Takes copies. */
  public HistoryReport {
    counts = Map.copyOf(counts);
    violations = List.copyOf(violations);
  }

  /** Whether nothing was found. */
  public boolean isClean() {
    return counts.isEmpty();
  }

  /** How often that anomaly was found. */
  public long count(Anomaly anomaly) {
    return counts.getOrDefault(anomaly, 0L);
  }
}
