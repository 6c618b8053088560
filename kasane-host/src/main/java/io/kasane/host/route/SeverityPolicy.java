/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.host.route;

import java.util.OptionalDouble;

/**
 * What severity a node is to gossip: as much as there are reasons for, and never less than what an
 * operator has set by hand. For one thread.
 */
final class SeverityPolicy {
  private double told;

  /** What {@link #next} returned last, which may have come through or not. */
  private double telling;

  private double byHand;

  /**
   * Looks once.
   *
   * @param gossiped what others are told now
   * @param wanted as much as there are reasons for, at least 0
   * @return what others are to be told; empty if they are
   */
  OptionalDouble next(double gossiped, double wanted) {
    if (gossiped != told && gossiped != telling) {
      byHand = gossiped; // somebody else has set it since
    }
    told = gossiped;
    telling = Math.max(byHand, wanted);
    return telling == gossiped ? OptionalDouble.empty() : OptionalDouble.of(telling);
  }
}
