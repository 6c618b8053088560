/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import java.util.Objects;

/**
 * A value that was read elsewhere, under the key that it gets: made by the table that it goes to,
 * such as {@link RampTable#seed}, written by {@link RampSession#seed}. Immutable.
 */
public final class Seed {
  private final ItemKey key;
  private final Bytes value;

  Seed(ItemKey key, Bytes value) {
    this.key = Objects.requireNonNull(key);
    this.value = Objects.requireNonNull(value);
  }

  /** Where it goes. */
  public ItemKey key() {
    return key;
  }

  /** What it is, as its table's codec has it. */
  public Bytes value() {
    return value;
  }

  /** The key alone. */
  @Override
  public String toString() {
    return key.toString();
  }
}
