/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What every policy promises to those who ask it, whatever it goes by. */
class HeatPolicyContractTest {
  private static final int KEYS = 40;
  private static final long SEED = 11;

  /** A policy that has chosen nothing yet. */
  @Provide
  Arbitrary<Supplier<HeatPolicy>> policies() {
    return Arbitraries.of(
        List.<Supplier<HeatPolicy>>of(
            () -> new BudgetPolicy(() -> 700, 100),
            () -> new BudgetPolicy(() -> 700, 1.5, () -> 100),
            () -> new BudgetPolicy(() -> 0, 100),
            () -> new SharePolicy(0),
            () -> new SharePolicy(0.6),
            () -> new SharePolicy(1),
            () -> new WindowPolicy(1),
            () -> new WindowPolicy(3)));
  }

  /** Steps below 200 are accesses, below 290 sizes, above that a period is over. */
  private static HeatSnapshot after(List<Integer> steps) {
    AtomicLong clock = new AtomicLong();
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(1000, 1000, 0), clock::get, SEED);
    for (int step : steps) {
      int key = step % KEYS;
      if (step < 200) {
        tracker.record(id(key));
      } else if (step < 290) {
        tracker.recordSize(id(key), step - 190);
      } else {
        clock.addAndGet(1000);
        tracker.advance();
      }
    }
    return tracker.snapshot();
  }

  @Property(tries = 500)
  void theSetAgreesWithItself(
      @ForAll("policies") Supplier<HeatPolicy> policy,
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps) {
    HeatSnapshot heat = after(steps);
    HotSet set = policy.get().select(heat);
    long keys = 0;
    double hotHeat = 0;
    for (int at = 0; at < heat.size(); at++) {
      if (set.temperatureOf(heat.keyIdAt(at)) == Temperature.HOT) {
        keys++;
        hotHeat += heat.heatAt(at);
      }
    }
    assertThat(set.hotKeys()).isEqualTo(keys);
    assertThat(set.hotBytes()).isBetween(0L, keys * 100);
    assertThat(set.accessShare()).isBetween(0.0, 1.0);
    if (heat.totalHeat() > 0) {
      assertThat(set.accessShare() * heat.totalHeat()).isLessThan(hotHeat + 1e-6);
    }
  }

  @Property(tries = 500)
  void whatWasNeverSeenIsNotHot(
      @ForAll("policies") Supplier<HeatPolicy> policy,
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps) {
    HotSet set = policy.get().select(after(steps));
    for (long key = KEYS; key < 2 * KEYS; key++) {
      assertThat(set.temperatureOf(id(key))).isNotEqualTo(Temperature.HOT);
    }
  }

  /** A policy that remembers what it chose may be unsure of other keys then, not of hot ones. */
  @Property(tries = 500)
  void theSameHeatMakesTheSameKeysHot(
      @ForAll("policies") Supplier<HeatPolicy> policy,
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps) {
    HeatSnapshot heat = after(steps);
    HeatPolicy one = policy.get();
    HotSet first = one.select(heat);
    HotSet again = one.select(heat);
    HotSet fresh = policy.get().select(after(steps));
    for (long key = 0; key < KEYS; key++) {
      boolean hot = first.temperatureOf(id(key)) == Temperature.HOT;
      assertThat(again.temperatureOf(id(key)) == Temperature.HOT).isEqualTo(hot);
      assertThat(fresh.temperatureOf(id(key))).isEqualTo(first.temperatureOf(id(key)));
    }
  }

  @Property(tries = 500)
  void noKeyIsHotForBeingLarge(
      @ForAll("policies") Supplier<HeatPolicy> policy,
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps) {
    HeatSnapshot heat = after(steps);
    HotSet set = policy.get().select(heat);
    if (set.hotKeys() == 0) {
      assertThat(set.leastHeat(100)).isInfinite();
    }
    assertThat(set.leastHeat(0)).isPositive();
    assertThat(set.leastHeat(1_000)).isGreaterThanOrEqualTo(set.leastHeat(1));
  }

  @Property(tries = 8)
  void itHasAName(@ForAll("policies") Supplier<HeatPolicy> policy) {
    assertThat(policy.get().name()).matches("[a-z]+");
  }
}
