/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.ramp.system;

import java.util.List;

/**
 * What a transaction read.
 *
 * @param values those of the keys that have one, in no order
 * @param rounds how many times the store was asked, one after the other
 */
public record Reading(List<SeenValue> values, int rounds) {
  /** Takes a copy. */
  public Reading {
    values = List.copyOf(values);
  }
}
