/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.policy.ListedPolicy;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.tier.options.BaselinePolicyProvider;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.utils.ByteBufferUtil;

/**
 * {@code heat_policy: chosen}, for tests: hot are the partitions whose ints an option names, or
 * another one once the policy has looked at what it goes by.
 */
public final class ChosenKeys implements BaselinePolicyProvider {
  static final String NAME = "chosen";
  static final String KEYS = "chosen_keys";
  static final String LATER = "chosen_later";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> options() {
    return Set.of(KEYS, LATER);
  }

  @Override
  public void check(Map<String, String> options) {}

  @Override
  public boolean goesByHeat() {
    return false;
  }

  @Override
  public HeatPolicy make(Map<String, String> options, Surroundings of) {
    HeatPolicy first = listed(options.get(KEYS), of);
    return options.containsKey(LATER) ? new Looking(first, listed(options.get(LATER), of)) : first;
  }

  private static HeatPolicy listed(String keys, Surroundings of) {
    return new ListedPolicy(
        Stream.of(keys.split(" ", -1))
            .filter(key -> !key.isEmpty())
            .map(key -> of.partitioner().decorateKey(ByteBufferUtil.bytes(Integer.parseInt(key))))
            .mapToLong(KeyIds::of)
            .toArray());
  }

  private static final class Looking implements HeatPolicy {
    private final HeatPolicy then;
    private volatile HeatPolicy now;

    Looking(HeatPolicy first, HeatPolicy then) {
      this.now = first;
      this.then = then;
    }

    @Override
    public HotSet select(HeatSnapshot heat) {
      return now.select(heat);
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void tick() {
      now = then;
    }
  }
}
