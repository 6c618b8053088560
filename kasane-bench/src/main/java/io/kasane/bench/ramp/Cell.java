/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp;

import io.kasane.bench.ramp.system.Systems;
import java.util.Optional;

/**
 * One thing to measure.
 *
 * @param system its name
 * @param shape what its clients do
 */
record Cell(String system, Shape shape) {
  private static final int MAX_LWT_KEYS = 16;

  /** Why it is not run, if it is not. */
  Optional<String> whyLeftOut() {
    if (system.equals(Systems.LWT) && shape.size() > MAX_LWT_KEYS) {
      return Optional.of(
          "a conditional write is of one key: %d keys are %d rounds of consensus one after the other"
              .formatted(shape.size(), shape.size()));
    }
    return Optional.empty();
  }

  String label() {
    return system + ", " + shape.describe();
  }
}
