/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/**
 * What look-ups and merges cost in time of the slow disk.
 *
 * @param readCostBytes how many bytes of sequential transfer one random read is worth; 0 if no
 *     merge is ever paid for
 * @param writePrice how many bytes read one byte written is worth
 */
public record SlowDiskPrice(long readCostBytes, double writePrice) {
  /**
   * Whether waiting look-ups have cost as much as it takes to read and write so many bytes. To wait
   * until then and no longer costs at most twice what one would pay who knew the reads to come (ski
   * rental: Karlin, Manasse, Rudolph, Sleator 1988).
   */
  public boolean isPaidFor(long lookUps, long bytes) {
    return lookUps > 0
        && readCostBytes > 0
        && lookUps * (double) readCostBytes >= (1 + writePrice) * bytes;
  }
}
