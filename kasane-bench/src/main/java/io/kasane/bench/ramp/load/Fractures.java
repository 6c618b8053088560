/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.load;

import io.kasane.bench.ramp.system.Reading;
import io.kasane.bench.ramp.system.SeenValue;
import io.kasane.ramp.version.Timestamp;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a read shows halves: a key as a transaction left it, and another key that the same
 * transaction wrote as it was before.
 *
 * <p>Source: Bailis et al., SIGMOD 2014, section 3.1 (fractured reads).
 */
public final class Fractures {
  private Fractures() {}

  /** Whether it does. Decided from what was read alone; keys without a value are not looked at. */
  public static boolean isFractured(Reading reading) {
    Map<Integer, Timestamp> seen = new HashMap<>();
    for (SeenValue value : reading.values()) {
      seen.put(value.key(), value.order());
    }
    return reading.values().stream().anyMatch(value -> isAhead(value, seen));
  }

  private static boolean isAhead(SeenValue value, Map<Integer, Timestamp> seen) {
    for (int sibling : value.value().keys()) {
      Timestamp order = seen.get(sibling);
      if (order != null && value.order().isAfter(order)) {
        return true;
      }
    }
    return false;
  }
}
