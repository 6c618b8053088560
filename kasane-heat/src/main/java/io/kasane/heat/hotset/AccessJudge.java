/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

import io.kasane.heat.table.HeatEntry;

/**
 * Hot is what had so many accesses in the running period or the one before.
 *
 * @param least how many; above 8 about
 * @param others the temperature of all other keys
 */
public record AccessJudge(int least, Temperature others) implements HeatJudge {
  @Override
  public Temperature judge(long key, long entry, double heatNow) {
    return HeatEntry.last(entry) >= least || HeatEntry.running(entry) >= least
        ? Temperature.HOT
        : others;
  }
}
