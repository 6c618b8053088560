/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.WindowPolicy;
import io.kasane.host.refuse.Refusal;
import io.kasane.tier.options.BaselinePolicyProvider;
import java.util.Map;
import java.util.Set;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * {@code heat_policy: window}: hot is what was accessed {@value #MIN_ACCESSES} times in the last
 * {@code heat_period}.
 */
public final class Window implements BaselinePolicyProvider {
  static final String MIN_ACCESSES = "heat_min_accesses";

  /** More in a period is not counted. */
  private static final int MAX = Short.MAX_VALUE;

  @Override
  public String name() {
    return "window";
  }

  @Override
  public Set<String> options() {
    return Set.of(MIN_ACCESSES);
  }

  @Override
  public void check(Map<String, String> options) {
    minAccesses(options);
  }

  private static int minAccesses(Map<String, String> options) {
    String value = options.get(MIN_ACCESSES);
    if (value == null) {
      return 1;
    }
    try {
      int number = Integer.parseInt(value.trim());
      if (number >= 1 && number <= MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw refused(value);
    }
    throw refused(value);
  }

  private static ConfigurationException refused(String value) {
    return new ConfigurationException(
        Refusal.of(
            "compaction option " + MIN_ACCESSES,
            value,
            "a whole number from 1 to " + MAX,
            "correct it, or leave it out for the default 1"));
  }

  @Override
  public boolean goesByHeat() {
    return true;
  }

  @Override
  public HeatPolicy make(Map<String, String> options, Surroundings of) {
    return new WindowPolicy(minAccesses(options));
  }
}
