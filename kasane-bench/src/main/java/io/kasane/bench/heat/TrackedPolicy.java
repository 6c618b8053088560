/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.SharePolicy;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.heat.sim.TrackedChooser;
import io.kasane.heat.track.HeatTrackerOptions;

/**
 * Kasane's policies, each on a tracker of its own. Only {@code budget} takes a number of keys; the
 * others get the setting that makes about as many keys hot.
 */
enum TrackedPolicy {
  /** The default policy, all keys tracked. */
  BUDGET("budget", 0),
  /** The same with a tracker for four times the budget. */
  BUDGET_4X("budget-4x", 4),
  /** The same with a tracker for twice the budget. */
  BUDGET_2X("budget-2x", 2),
  /** Share k, k being what the sets of {@link #BUDGET} had of all heat, in the mean. */
  SHARE("share", 0),
  /**
   * Accessed at least once in a period, which lasts until as many keys as the budget were; the
   * tracker is large enough to forget hardly any of two periods.
   */
  WINDOW("window", 32);

  private static final double ROOM = 1.25;

  private final String label;
  private final int budgetsTracked;

  TrackedPolicy(String label, int budgetsTracked) {
    this.label = label;
    this.budgetsTracked = budgetsTracked;
  }

  String label() {
    return label;
  }

  /** Accesses from one hot set to the next; a node chooses one each period. */
  int chooseEvery(HeatCell cell) {
    int wanted = this == WINDOW ? cell.accessesThatTouchTheBudget() : cell.chooseEvery();
    return (int)
        Math.min(
            HeatTrackerOptions.MAX_PERIOD_MILLIS,
            Math.max(HeatTrackerOptions.MIN_PERIOD_MILLIS, wanted));
  }

  /**
   * A new tracker with this policy.
   *
   * @param heatShare of the sets that {@link #BUDGET} chose, above 0
   */
  TrackedChooser chooser(HeatCell cell, double heatShare) {
    int all =
        Math.max(HeatTrackerOptions.DEFAULT_CAPACITY, (int) (ROOM * cell.trace().distinctKeys()));
    int capacity =
        budgetsTracked == 0 ? all : (int) Math.min(all, (long) budgetsTracked * cell.budgetKeys());
    return new TrackedChooser(
        HeatTrackerOptions.defaults()
            .withCapacityKeys(capacity)
            .withPeriodMillis(chooseEvery(cell)),
        policy(cell, heatShare),
        cell.seed());
  }

  private HeatPolicy policy(HeatCell cell, double heatShare) {
    return switch (this) {
      case BUDGET, BUDGET_4X, BUDGET_2X -> new BudgetPolicy(cell::budgetKeys, 1);
      case SHARE -> new SharePolicy(heatShare);
      case WINDOW -> new WindowPolicy(1);
    };
  }
}
