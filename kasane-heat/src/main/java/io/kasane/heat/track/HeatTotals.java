/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

/**
 * The numbers of a tracker that belong to no single key.
 *
 * @param halvings of all heat so far
 * @param period that runs
 * @param sinceAging accesses since heat was halved
 * @param accesses since the tracker began, unaged
 * @param heat of all of them, aged, of tracked keys and others, in sixteenths
 * @param sizeSum of the sizes that were reported, aged
 * @param sizeCount how many these were, aged
 */
public record HeatTotals(
    int halvings,
    int period,
    long sinceAging,
    long accesses,
    long heat,
    double sizeSum,
    double sizeCount) {

  /** Whether neither heat was halved nor a period has ended in between. */
  public boolean isOfTheTimeOf(HeatTotals other) {
    return halvings == other.halvings && period == other.period;
  }
}
