/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the anomalies that are looked for, and keeps the first ones. Not thread-safe. */
final class AnomalyLog {
  private final Set<Anomaly> wanted;
  private final int maxViolations;
  private final Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);
  private final List<Violation> violations = new ArrayList<>();

  AnomalyLog(Set<Anomaly> wanted, int maxViolations) {
    this.wanted = Set.copyOf(wanted);
    this.maxViolations = maxViolations;
  }

  boolean wants(Anomaly anomaly) {
    return wanted.contains(anomaly);
  }

  void add(Anomaly anomaly, long transaction, long key, String detail) {
    if (!wants(anomaly)) {
      return;
    }
    counts.merge(anomaly, 1L, Long::sum);
    if (violations.size() < maxViolations) {
      violations.add(new Violation(anomaly, transaction, key, detail));
    }
  }

  Map<Anomaly, Long> counts() {
    return counts;
  }

  List<Violation> violations() {
    return violations;
  }
}
