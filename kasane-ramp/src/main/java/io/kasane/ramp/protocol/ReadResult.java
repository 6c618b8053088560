/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.Map;

/**
 * What a get saw.
 *
 * @param versions one of each key that has one; deletions are among them, absent keys are not
 * @param rounds how many times the store was asked, one after the other
 */
public record ReadResult(Map<ItemKey, Version> versions, int rounds) {
  /** Takes a copy. */
  public ReadResult {
    versions = Map.copyOf(versions);
  }

  /** What of it was wanted. */
  ReadResult only(ReadSet wanted) {
    Map<ItemKey, Version> only = new HashMap<>(versions);
    only.keySet().removeIf(key -> !wanted.has(key));
    return new ReadResult(only, rounds);
  }
}
