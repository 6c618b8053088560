/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

/** The tracker against its exact twin. */
class HeatTrackerPropertyTest {
  private static final List<Long> ODD_IDS =
      List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, 1L << 63 >>> 1);

  private static long id(int n) {
    return n < ODD_IDS.size() ? ODD_IDS.get(n) : (long) n << 20;
  }

  /** Below its capacity the tracker knows exactly what the twin knows. */
  @Property(tries = 300)
  void equalsTheTwinWhileThereIsRoom(
      @ForAll @Size(min = 1, max = 600) List<@IntRange(max = 400) Integer> steps,
      @ForAll @IntRange(min = 20, max = 2000) int aging,
      @ForAll long seed) {
    AtomicLong clock = new AtomicLong(-5);
    HeatTracker tracker =
        new HeatTracker(new HeatTrackerOptions(500, 1000, aging), clock::get, seed);
    ExactTwin twin = new ExactTwin();
    int epoch = 0;
    for (int step : steps) {
      if (step > 395) {
        clock.addAndGet(1000);
        tracker.advance();
        twin.roll();
      } else if (step > 380) {
        tracker.recordSize(id(step % 60), step);
        twin.recordSize(id(step % 60), step);
      } else if (step > 370) {
        tracker.recordPart(id(step % 60), 2L * step);
        twin.recordPart(id(step % 60), 2L * step);
      } else {
        for (int i = 0; i <= step % 5; i++) {
          tracker.record(id(step % 60));
          twin.record(id(step % 60));
          for (; epoch < tracker.epoch(); epoch++) {
            twin.halve();
          }
        }
      }
    }
    HeatSnapshot snapshot = tracker.snapshot();
    assertThat(ExactTwin.byId(snapshot)).isEqualTo(twin.byId());
    assertThat(tracker.trackedKeys()).isEqualTo(twin.units.size());
    assertThat(tracker.totalAccesses()).isEqualTo(twin.accesses);
    assertThat(snapshot.totalHeat()).isEqualTo(twin.totalUnits / 16.0);
    for (int n = 0; n < 60; n++) {
      assertThat(tracker.heatOf(id(n))).isEqualTo(twin.heatOf(id(n)));
    }
  }

  /** Whatever its size is changed to, it knows what the twin knows as long as the keys fit. */
  @Property(tries = 200)
  void equalsTheTwinAfterItWasResized(
      @ForAll @Size(min = 1, max = 400) List<@IntRange(max = 420) Integer> steps,
      @ForAll @IntRange(min = 20, max = 2000) int aging,
      @ForAll long seed) {
    AtomicLong clock = new AtomicLong();
    HeatTracker tracker =
        new HeatTracker(new HeatTrackerOptions(500, 1000, aging), clock::get, seed);
    ExactTwin twin = new ExactTwin();
    int epoch = 0;
    for (int step : steps) {
      if (step > 400) {
        tracker.resize(step % 2 == 0 ? 20_000 + step : 70 + step);
      } else if (step > 390) {
        clock.addAndGet(1000);
        tracker.advance();
        twin.roll();
      } else if (step > 370) {
        tracker.recordSize(id(step % 60), step);
        twin.recordSize(id(step % 60), step);
      } else {
        for (int i = 0; i <= step % 5; i++) {
          tracker.record(id(step % 60));
          twin.record(id(step % 60));
          for (; epoch < tracker.epoch(); epoch++) {
            twin.halve();
          }
        }
      }
    }
    tracker.resize(9000);
    HeatSnapshot snapshot = tracker.snapshot();
    assertThat(ExactTwin.byId(snapshot)).isEqualTo(twin.byId());
    assertThat(tracker.trackedKeys()).isEqualTo(twin.units.size());
    assertThat(tracker.totalAccesses()).isEqualTo(twin.accesses);
    // Each of up to five stripes rounds its sum down by a sixteenth at most when it is halved.
    assertThat(snapshot.totalHeat())
        .isBetween(twin.totalUnits / 16.0 - 5 * 2 / 16.0, twin.totalUnits / 16.0 + 5 * 2 / 16.0);
  }

  /** A tracker that shrinks keeps the hot keys, exactly, and gives the memory of others back. */
  @Property(tries = 60)
  void theHottestStayWhenItShrinks(
      @ForAll @IntRange(min = 1, max = 8_000) int before,
      @ForAll @IntRange(min = 1, max = 30_000) int after,
      @ForAll long seed) {
    HeatTracker tracker = tracker(before, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 40_000; i++) {
      double u = random.nextDouble();
      tracker.record((long) (u * u * u * before));
    }
    Map<Long, KeyHeat> known = ExactTwin.byId(tracker.snapshot());
    tracker.resize(after);
    assertThat(tracker.capacityKeys()).isEqualTo(after);
    assertThat(tracker.trackedKeys()).isLessThanOrEqualTo(after);
    assertThat(tracker.memoryBytes()).isLessThan(48L * after + 2000);
    double sum = known.values().stream().mapToDouble(KeyHeat::heat).sum();
    Map<Long, KeyHeat> left = ExactTwin.byId(tracker.snapshot());
    for (KeyHeat key : known.values()) {
      if (left.containsKey(key.keyId())) {
        assertThat(left.get(key.keyId())).isEqualTo(key);
      } else {
        assertThat(key.heat()).isLessThanOrEqualTo(3 * sum / Math.min(after, before));
      }
    }
  }

  /** A full tracker keeps to its capacity and lets only cold keys go (bound in its header). */
  @Property(tries = 60)
  void onlyColdKeysLeaveAFullTracker(
      @ForAll @IntRange(min = 1, max = 200) int capacity,
      @ForAll @IntRange(min = 2, max = 20) int keysPerPlace,
      @ForAll long seed) {
    HeatTracker tracker = tracker(capacity, seed);
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Integer> exact = new HashMap<>();
    for (int i = 0; i < 3000; i++) {
      double u = random.nextDouble();
      long key = (long) (u * u * u * capacity * keysPerPlace);
      boolean mayEvict = tracker.trackedKeys() == capacity && tracker.heatOf(key) == 0;
      Map<Long, KeyHeat> before = mayEvict ? ExactTwin.byId(tracker.snapshot()) : Map.of();
      tracker.record(key);
      exact.merge(key, 1, Integer::sum);
      assertThat(tracker.trackedKeys()).isLessThanOrEqualTo(capacity);
      double sum = before.values().stream().mapToDouble(KeyHeat::heat).sum();
      for (KeyHeat known : before.values()) {
        if (tracker.heatOf(known.keyId()) == 0) {
          assertThat(known.heat()).isLessThanOrEqualTo(1.29 * sum / capacity);
        }
      }
    }
    for (KeyHeat known : tracker.snapshot().hottest(capacity)) {
      int truth = exact.getOrDefault(known.keyId(), 0);
      assertThat(known.heat())
          .as("a key that came back has at least its true heat, up to what the sketch can hold")
          .isGreaterThanOrEqualTo(Math.min(HeatSketch.MAX, truth));
    }
    assertThat(tracker.totalAccesses()).isEqualTo(3000);
  }

  /** The sketch never answers less than what it was told. */
  @Property(tries = 200)
  void sketchNeverForgetsDownwards(
      @ForAll @Size(max = 300) List<@LongRange(max = 100_000) Long> told) {
    HeatSketch sketch = new HeatSketch(10);
    Map<Long, Integer> most = new HashMap<>();
    for (long key : told) {
      int heat = (int) (key % 300);
      sketch.put(key, heat);
      most.merge(key, Math.min(HeatSketch.MAX, heat), Math::max);
    }
    most.forEach((key, heat) -> assertThat(sketch.estimate(key)).isGreaterThanOrEqualTo(heat));
    sketch.halve();
    most.forEach((key, heat) -> assertThat(sketch.estimate(key)).isGreaterThanOrEqualTo(heat / 2));
  }

  /** The curve is the sum over the hottest keys. */
  @Property(tries = 100)
  void curveAddsUp(@ForAll @Size(min = 1, max = 200) List<@IntRange(max = 30) Integer> accesses) {
    HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), () -> 0, 3);
    accesses.forEach(tracker::record);
    HeatSnapshot snapshot = tracker.snapshot();
    double half =
        snapshot.hottest((int) Math.round(snapshot.size() / 2.0)).stream()
            .mapToDouble(KeyHeat::heat)
            .sum();
    assertThat(snapshot.accessShareOfHottest(100, 0, 50))
        .containsExactly(new double[] {1, 0, half / accesses.size()}, within(1e-9));
  }

  private static HeatTracker tracker(int capacity, long seed) {
    return new HeatTracker(
        new HeatTrackerOptions(capacity, 1000, HeatTrackerOptions.MAX_AGING_ACCESSES),
        () -> 0,
        seed);
  }
}
