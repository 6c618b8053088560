/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Objects;
import java.util.Optional;

/**
 * What one transaction wrote to one key. Immutable.
 *
 * @param timestamp the transaction's
 * @param siblings what is known of its other keys
 * @param value what it wrote; empty where it deleted the key
 */
public record Version(Timestamp timestamp, Siblings siblings, Optional<Bytes> value) {
  /** All three are there. */
  public Version {
    Objects.requireNonNull(timestamp);
    Objects.requireNonNull(siblings);
    Objects.requireNonNull(value);
  }

  /** Whether the transaction deleted the key. */
  public boolean isDeletion() {
    return value.isEmpty();
  }
}
