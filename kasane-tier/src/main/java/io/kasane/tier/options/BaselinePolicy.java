/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.options;

import io.kasane.heat.policy.HeatPolicy;
import java.util.HashMap;
import java.util.Map;

/**
 * A baseline that a table asks for.
 *
 * @param options those that it reads, as the table has them
 */
public record BaselinePolicy(BaselinePolicyProvider provider, Map<String, String> options) {
  static BaselinePolicy of(BaselinePolicyProvider provider, Map<String, String> all) {
    Map<String, String> own = new HashMap<>(all);
    own.keySet().retainAll(provider.options());
    provider.check(own);
    return new BaselinePolicy(provider, Map.copyOf(own));
  }

  /** The policy itself. */
  public HeatPolicy make(BaselinePolicyProvider.Surroundings of) {
    return provider.make(options, of);
  }
}
