/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.version;

import java.util.Set;

/** Nothing is known of the transaction's other keys, as in RAMP-Small. */
public record UnknownSiblings() implements Siblings {
  @Override
  public Mode mode() {
    return Mode.SMALL;
  }

  @Override
  public Demand demandOn(ItemKey key) {
    return Demand.POSSIBLE;
  }

  @Override
  public Set<ItemKey> names() {
    return Set.of();
  }
}
