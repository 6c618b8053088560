/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import io.kasane.ramp.version.Bytes;
import io.kasane.ramp.version.ItemKey;
import io.kasane.ramp.version.ItemRange;
import io.kasane.ramp.version.Version;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a get saw.
 *
 * @param versions one of each key that has one; deletions are among them, absent keys are not
 * @param nexts of each range that was wanted the first item that was not read for its limit; empty
 *     where all were
 * @param rounds how many times the store was asked, one after the other
 */
public record ReadResult(
    Map<ItemKey, Version> versions, Map<ItemRange, Optional<Bytes>> nexts, int rounds) {
  /** Takes a copy. */
  public ReadResult {
    versions = Map.copyOf(versions);
    nexts = Map.copyOf(nexts);
  }

  /**
   * As far as a range was read.
   *
   * @throws IllegalArgumentException if it was not wanted
   */
  public ItemRange read(ItemRange wanted) {
    Optional<Bytes> next = nexts.get(wanted);
    if (next == null) {
      throw new IllegalArgumentException(wanted + " is not among what was read");
    }
    return wanted.upTo(next);
  }

  /** What of it was wanted. */
  ReadResult only(ReadSet wanted) {
    if (wanted.ranges().isEmpty()
        && nexts.isEmpty()
        && wanted.keys().containsAll(versions.keySet())) {
      return this;
    }
    Covered covered = new Covered();
    covered.add(wanted.keys());
    wanted.ranges().forEach(range -> covered.add(read(range)));
    Map<ItemKey, Version> only = new HashMap<>(versions);
    only.keySet().removeIf(key -> !covered.has(key));
    Map<ItemRange, Optional<Bytes>> onlyNexts = new HashMap<>(nexts);
    onlyNexts.keySet().retainAll(wanted.ranges());
    return new ReadResult(only, onlyNexts, rounds);
  }
}
