/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Set;

/**
 * A bloom filter of a transaction's keys, as in RAMP-Hybrid: it names all of them, and some others
 * by mistake.
 *
 * @param bits the filter
 * @param hashes how many bits a key sets
 */
public record SiblingFilter(Bytes bits, int hashes) implements Siblings {
  @Override
  public Mode mode() {
    return Mode.HYBRID;
  }

  @Override
  public Demand demandOn(ItemKey key) {
    throw new UnsupportedOperationException("to be written with the codec");
  }

  @Override
  public Set<ItemKey> names() {
    return Set.of();
  }
}
