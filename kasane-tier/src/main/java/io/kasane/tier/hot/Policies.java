/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.hot;

import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.SharePolicy;
import io.kasane.tier.control.AutoHeatShare;
import io.kasane.tier.options.BaselinePolicy;
import io.kasane.tier.options.TierOptions;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Which rows are hot, as a table's options say. */
public final class Policies {
  private Policies() {}

  /**
   * The policy that options ask for.
   *
   * @param options of the table
   * @param budgetBytes bytes of hot rows that the fast disk may hold now
   * @param rowBytes size of a row where heat has not seen any
   * @param chosen the policy of a baseline
   * @param waits what {@code heat_share: auto} goes by
   */
  public static HeatPolicy make(
      TierOptions options,
      LongSupplier budgetBytes,
      LongSupplier rowBytes,
      Function<BaselinePolicy, HeatPolicy> chosen,
      Supplier<AutoHeatShare.Waits> waits) {
    return switch (options.policy()) {
      case BUDGET -> new BudgetPolicy(budgetBytes, TierOptions.KEEP_FACTOR, rowBytes);
      case BASELINE -> chosen.apply(options.chosen().orElseThrow());
      case STAY -> new NoOpPolicy();
      case SHARE ->
          options.share().isPresent()
              ? new SharePolicy(options.share().getAsDouble())
              : new SharePolicy(new AutoHeatShare(waits));
    };
  }
}
