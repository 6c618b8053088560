/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import java.util.Set;

/** The hottest keys by exact, unaged counts of all accesses so far. Not thread-safe. */
public final class OracleChooser implements Chooser {
  private final Oracle oracle = new Oracle();
  private final int budgetKeys;
  private Set<Integer> hot = Set.of();

  /** Starts from nothing; at most {@code budgetKeys} keys are hot. */
  public OracleChooser(int budgetKeys) {
    this.budgetKeys = budgetKeys;
  }

  @Override
  public void record(int key) {
    oracle.record(key);
  }

  @Override
  public void choose() {
    hot = oracle.hottest(budgetKeys);
  }

  @Override
  public boolean isHot(int key) {
    return hot.contains(key);
  }

  @Override
  public long hotKeys() {
    return hot.size();
  }
}
