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
public record ChosenPolicy(PolicyProvider provider, Map<String, String> options) {
  static ChosenPolicy of(PolicyProvider provider, Map<String, String> all) {
    Map<String, String> own = new HashMap<>(all);
    own.keySet().retainAll(provider.options());
    provider.check(own);
    return new ChosenPolicy(provider, Map.copyOf(own));
  }

  /** The policy itself. */
  public HeatPolicy make(PolicyProvider.Surroundings of) {
    return provider.make(options, of);
  }
}
