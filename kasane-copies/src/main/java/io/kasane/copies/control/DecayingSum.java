/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

/**
 * A sum in which what was observed counts less with each observation that follows. Used by one
 * thread.
 */
final class DecayingSum {
  private final double kept;
  private double sum;
  private long lastTotal;

  /**
   * Nothing was observed.
   *
   * @param kept what is left of the sum an observation later, 0 to 1
   */
  DecayingSum(double kept) {
    this.kept = kept;
  }

  void add(double amount) {
    sum = kept * sum + amount;
  }

  /** By how much a counter has grown since the last {@link #addGrowth}. */
  long growth(long total) {
    return total - lastTotal;
  }

  /** Adds by how much a counter has grown. */
  void addGrowth(long total) {
    add((double) growth(total));
    lastTotal = total;
  }

  double value() {
    return sum;
  }
}
