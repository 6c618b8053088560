/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.ListedPolicy;
import io.kasane.tier.options.BaselinePolicyProvider;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.utils.ByteBufferUtil;

/** {@code heat_policy: chosen}, for tests: hot are the partitions whose ints an option names. */
public final class ChosenKeys implements BaselinePolicyProvider {
  static final String NAME = "chosen";
  static final String KEYS = "chosen_keys";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> options() {
    return Set.of(KEYS);
  }

  @Override
  public void check(Map<String, String> options) {}

  @Override
  public boolean goesByHeat() {
    return false;
  }

  @Override
  public HeatPolicy make(Map<String, String> options, Surroundings of) {
    return new ListedPolicy(
        Stream.of(options.get(KEYS).split(" ", -1))
            .filter(key -> !key.isEmpty())
            .map(key -> of.partitioner().decorateKey(ByteBufferUtil.bytes(Integer.parseInt(key))))
            .mapToLong(KeyIds::of)
            .toArray());
  }
}
