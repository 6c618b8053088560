/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.key.HeatKey;
import io.kasane.heat.track.HeatRanking;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import io.kasane.heat.track.KeyHeat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Each policy against the obvious way to write it. */
class PolicyPropertyTest {
  private static final long DEFAULT_SIZE = 100;

  private final AtomicLong clock = new AtomicLong();

  private HeatTracker tracker(List<Integer> steps, long seed) {
    clock.set(0);
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(1000, 1000, 0), clock::get, seed);
    for (int step : steps) {
      if (step >= 290) {
        clock.addAndGet(1000);
        tracker.advance();
      } else if (step >= 200) {
        tracker.recordSize(id(step % 40), step - 190);
      } else {
        tracker.record(id(step % 40));
      }
    }
    return tracker;
  }

  private static List<KeyHeat> ordered(HeatSnapshot heat, Comparator<KeyHeat> hottestFirst) {
    List<KeyHeat> keys = new ArrayList<>();
    heat.forEach(keys::add);
    keys.sort(hottestFirst.thenComparing(k -> HeatRanking.tieBreak(HeatKey.of(k.keyId()))));
    return keys;
  }

  private static Set<Long> hotOf(HotSet set) {
    Set<Long> hot = new HashSet<>();
    for (long key = 0; key < 50; key++) {
      if (set.temperatureOf(id(key)) == Temperature.HOT) {
        hot.add(id(key));
      }
    }
    assertThat(set.hotKeys()).isEqualTo(hot.size());
    return hot;
  }

  @Property(tries = 300)
  void windowIsTheNewestPeriods(
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps,
      @ForAll @IntRange(min = 1, max = 4) int n,
      @ForAll long seed) {
    HeatSnapshot heat = tracker(steps, seed).snapshot();
    Set<Long> expected = new HashSet<>();
    heat.forEach(
        k -> {
          if (Math.max(k.lastPeriodAccesses(), k.runningPeriodAccesses()) >= n) {
            expected.add(k.keyId());
          }
        });
    HotSet set = new WindowPolicy(n).select(heat);
    assertThat(hotOf(set)).isEqualTo(expected);
    assertThat(set.temperatureOf(id(999)))
        .isEqualTo(steps.stream().anyMatch(s -> s >= 290) ? Temperature.COLD : Temperature.UNKNOWN);
  }

  @Property(tries = 300)
  void shareWalksDownToK(
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps,
      @ForAll @DoubleRange(min = 0.05, max = 1) double share,
      @ForAll long seed) {
    HeatSnapshot heat = tracker(steps, seed).snapshot();
    Set<Long> expected = new HashSet<>();
    double sum = 0;
    for (KeyHeat key : ordered(heat, Comparator.comparing(k -> -k.heat()))) {
      if (sum < share * heat.totalHeat()) {
        expected.add(key.keyId());
        sum += key.heat();
      }
    }
    HotSet set = new SharePolicy(share).select(heat);
    assertThat(hotOf(set)).isEqualTo(expected);
    if (heat.totalHeat() > 0) {
      assertThat(set.accessShare()).isEqualTo(sum / heat.totalHeat()).isGreaterThanOrEqualTo(share);
    }
    assertThat(set.temperatureOf(id(999)))
        .isEqualTo(heat.warm() ? Temperature.COLD : Temperature.UNKNOWN);
  }

  @Property(tries = 300)
  void budgetTakesTheDensestThatFit(
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps,
      @ForAll @IntRange(max = 3000) int budget,
      @ForAll long seed) {
    HeatSnapshot heat = tracker(steps, seed).snapshot();
    long unknown = heat.meanSizeBytes() > 0 ? Math.round(heat.meanSizeBytes()) : DEFAULT_SIZE;
    Set<Long> expected = new HashSet<>();
    long left = budget;
    for (KeyHeat key :
        ordered(heat, Comparator.comparing(k -> -(float) (k.heat() / size(k, unknown))))) {
      if (size(key, unknown) <= left) {
        expected.add(key.keyId());
        left -= size(key, unknown);
      }
    }
    HotSet set = new BudgetPolicy(() -> budget, DEFAULT_SIZE).select(heat);
    assertThat(hotOf(set)).isEqualTo(expected);
    assertThat(set.hotBytes()).isEqualTo(budget - left).isLessThanOrEqualTo(budget);
    assertThat(set.temperatureOf(id(999)))
        .isEqualTo(left < unknown || budget == 0 ? Temperature.COLD : Temperature.UNKNOWN);
  }

  /** The band changes what is cold, never what is hot, and is bounded itself. */
  @Property(tries = 300)
  void theBandLeavesTheHotSetAlone(
      @ForAll @Size(max = 200) List<@IntRange(max = 299) Integer> steps,
      @ForAll @IntRange(min = 1, max = 3000) int budget,
      @ForAll @DoubleRange(min = 1, max = 2) double keepFactor,
      @ForAll long seed) {
    HeatSnapshot heat = tracker(steps, seed).snapshot();
    long unknown = heat.meanSizeBytes() > 0 ? Math.round(heat.meanSizeBytes()) : DEFAULT_SIZE;
    HotSet plain = new BudgetPolicy(() -> budget, DEFAULT_SIZE).select(heat);
    HotSet banded = new BudgetPolicy(() -> budget, keepFactor, () -> DEFAULT_SIZE).select(heat);
    assertThat(hotOf(banded)).isEqualTo(hotOf(plain));
    long staying = 0;
    for (int i = 0; i < heat.size(); i++) {
      if (banded.temperatureOf(heat.keyIdAt(i)) == Temperature.UNKNOWN
          && plain.temperatureOf(heat.keyIdAt(i)) == Temperature.COLD) {
        staying += size(heat.at(i), unknown);
      }
    }
    assertThat(staying).isLessThanOrEqualTo((long) (keepFactor * budget));
    assertThat(banded.temperatureOf(id(999))).isEqualTo(plain.temperatureOf(id(999)));
  }

  private static long size(KeyHeat key, long unknown) {
    return key.sizeBytes() > 0 ? key.sizeBytes() : unknown;
  }

  /** Table order differs with the seed; the hot set must not. */
  @Property(tries = 100)
  void tiesDoNotDependOnTableOrder(
      @ForAll @Size(min = 10, max = 100) List<@IntRange(max = 199) Integer> steps,
      @ForAll @IntRange(min = 1, max = 2000) int budget,
      @ForAll long seed,
      @ForAll long otherSeed) {
    for (HeatPolicy policy :
        List.of(new BudgetPolicy(() -> budget, DEFAULT_SIZE), new SharePolicy(0.5))) {
      assertThat(hotOf(policy.select(tracker(steps, seed).snapshot())))
          .isEqualTo(hotOf(policy.select(tracker(steps, otherSeed).snapshot())));
    }
  }
}
