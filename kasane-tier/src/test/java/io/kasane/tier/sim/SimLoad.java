/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sim;

/**
 * What a table holds and what is asked of it.
 *
 * @param fastBytes its quota on fast
 * @param slowBytes of all its rows
 * @param loadedSSTables in which they lie at first
 * @param cached share of the reads of slow SSTables that memory answers
 * @param coolingPerDay share of the hot rows that others take the place of
 */
record SimLoad(
    long fastBytes,
    long slowBytes,
    int loadedSSTables,
    long memtableBytes,
    double zipf,
    double readsPerSecond,
    double updatesPerSecond,
    double promotedRowsPerSecond,
    double cached,
    double coolingPerDay) {
  /** The share of the quota that hot rows may fill: {@code fast_fill}, if it is set. */
  double fill(double byDefault) {
    return Double.parseDouble(System.getProperty("kasane.sim.fill", "" + byDefault));
  }
}
