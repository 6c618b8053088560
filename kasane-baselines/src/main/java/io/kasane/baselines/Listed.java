/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.baselines;

import io.kasane.heat.policy.HeatPolicy;
import io.kasane.host.refuse.Refusal;
import io.kasane.tier.options.BaselinePolicyProvider;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.cassandra.exceptions.ConfigurationException;

/**
 * {@code heat_policy: listed}: hot are the rows in the file {@value #LIST} of the node's {@code
 * key_lists_directory}, read or not. With the hottest rows in it, the perfect placement.
 */
public final class Listed implements BaselinePolicyProvider {
  static final String LIST = "heat_list";

  private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}");

  private static final String NAME =
      "the name of a file in key_lists_directory of kasane.yaml, of 1 to 128 letters, digits, '.',"
          + " '_' and '-', not beginning with '.'";

  @Override
  public String name() {
    return "listed";
  }

  @Override
  public Set<String> options() {
    return Set.of(LIST);
  }

  @Override
  public void check(Map<String, String> options) {
    String value = options.getOrDefault(LIST, "");
    if (!NAMES.matcher(value).matches()) {
      throw new ConfigurationException(
          Refusal.of(
              "compaction option " + LIST,
              value,
              NAME,
              "correct it, or leave it out for no list, with another heat_policy"));
    }
  }

  @Override
  public boolean goesByHeat() {
    return false;
  }

  @Override
  public HeatPolicy make(Map<String, String> options, Surroundings of) {
    return new KeyLists(of.keyLists(), of.memory(), System::nanoTime)
        .open(of.table(), options.get(LIST), of.partitioner());
  }
}
