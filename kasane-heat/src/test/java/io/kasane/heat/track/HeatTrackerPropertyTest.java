/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.table.HeatChunks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The tracker against its exact twin. */
class HeatTrackerPropertyTest {
  private static final List<Long> ODD_IDS =
      List.of(0L, -1L << 26, Long.MIN_VALUE, Long.MAX_VALUE >>> 26 << 26, 1L << 32, 1L << 62);

  private static long id(int n) {
    return n < ODD_IDS.size() ? ODD_IDS.get(n) : (long) n << 26;
  }

  /** Below its capacity the tracker knows exactly what the twin knows. */
  @Property(tries = 300)
  void equalsTheTwinWhileThereIsRoom(
      @ForAll @Size(min = 1, max = 600) List<@IntRange(max = 400) Integer> steps,
      @ForAll @IntRange(min = 20, max = 2000) int aging,
      @ForAll long seed) {
    AtomicLong clock = new AtomicLong(-5);
    HeatTracker tracker =
        new HeatTracker(new HeatTrackerOptions(4000, 1000, aging), clock::get, seed);
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
          for (; epoch < tracker.totals().halvings(); epoch++) {
            twin.halve();
          }
        }
      }
    }
    HeatSnapshot snapshot = tracker.snapshot();
    twin.requireAlike(snapshot);
    assertThat(tracker.trackedKeys()).isEqualTo(twin.units.size());
    assertThat(tracker.totalAccesses()).isEqualTo(twin.accesses);
    assertThat(snapshot.totalHeat()).isCloseTo(twin.totalUnits / 16.0, within(1.0));
  }

  /** Whatever its size is changed to, it knows what the twin knows as long as the keys fit. */
  @Property(tries = 200)
  void equalsTheTwinAfterItWasResized(
      @ForAll @Size(min = 1, max = 400) List<@IntRange(max = 420) Integer> steps,
      @ForAll @IntRange(min = 20, max = 2000) int aging,
      @ForAll long seed) {
    AtomicLong clock = new AtomicLong();
    HeatTracker tracker =
        new HeatTracker(new HeatTrackerOptions(4000, 1000, aging), clock::get, seed);
    ExactTwin twin = new ExactTwin();
    int epoch = 0;
    for (int step : steps) {
      if (step > 400) {
        tracker.resize(step % 2 == 0 ? 20_000 + step : 4000 + step);
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
          for (; epoch < tracker.totals().halvings(); epoch++) {
            twin.halve();
          }
        }
      }
    }
    tracker.resize(9000);
    HeatSnapshot snapshot = tracker.snapshot();
    twin.requireAlike(snapshot);
    assertThat(tracker.trackedKeys()).isEqualTo(twin.units.size());
    assertThat(tracker.totalAccesses()).isEqualTo(twin.accesses);
    assertThat(snapshot.totalHeat()).isCloseTo(twin.totalUnits / 16.0, within(1.0));
  }

  /** A tracker that shrinks keeps the hot keys and gives the memory of others back. */
  @Property(tries = 40)
  void theHottestStayWhenItShrinks(
      @ForAll @IntRange(min = 4_000, max = 30_000) int before,
      @ForAll @IntRange(min = 4_000, max = 30_000) int after,
      @ForAll long seed) {
    HeatTracker tracker = tracker(before, seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60_000; i++) {
      double u = random.nextDouble();
      tracker.record(id((int) (u * u * u * before)));
    }
    Map<Long, KeyHeat> known = ExactTwin.byId(tracker.snapshot());
    tracker.resize(after);
    assertThat(tracker.capacityKeys()).isEqualTo(after);
    assertThat(tracker.memoryBytes()).isLessThanOrEqualTo(11L * after + HeatChunks.CHUNK_BYTES);
    Map<Long, KeyHeat> left = ExactTwin.byId(tracker.snapshot());
    assertThat(known).containsAllEntriesOf(left);
    List<KeyHeat> hottest =
        known.values().stream()
            .sorted(Comparator.comparing(key -> -key.heat()))
            .limit(Math.min(before, after) / 4)
            .toList();
    assertThat(hottest.stream().filter(key -> !left.containsKey(key.keyId())).count())
        .as("of %d", hottest.size())
        .isLessThanOrEqualTo(hottest.size() / 100);
  }

  /** Only the coldest of its bucket makes room for a new key, which has its heat then. */
  @Property(tries = 60)
  void onlyColdKeysLeaveAFullTracker(
      @ForAll @IntRange(min = 256, max = 4_000) int capacity,
      @ForAll @IntRange(min = 2, max = 20) int keysPerPlace,
      @ForAll long seed) {
    HeatTracker tracker = tracker(capacity, seed);
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Integer> exact = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      double u = random.nextDouble();
      long key = id((int) (u * u * u * capacity * keysPerPlace));
      tracker.record(key);
      exact.merge(key, 1, Integer::sum);
    }
    assertThat(tracker.trackedKeys()).isLessThanOrEqualTo(256L * 15);
    assertThat(tracker.totalAccesses()).isEqualTo(30_000);
    double heat = tracker.snapshot().accessShareOfHottest(100)[0];
    assertThat(heat).as("share of all heat that is in the table").isLessThanOrEqualTo(1);
    Map<Long, KeyHeat> left = ExactTwin.byId(tracker.snapshot());
    double mean = 30_000.0 / tracker.trackedKeys();
    exact.forEach(
        (key, count) -> {
          if (count > 100 && count > 10 * mean) {
            assertThat(left).containsKey(key);
            assertThat(left.get(key).heat()).isBetween(0.5 * count, 2.0 * count);
          }
        });
  }

  /** The curve is the sum over the hottest keys. */
  @Property(tries = 100)
  void curveAddsUp(@ForAll @Size(min = 1, max = 200) List<@IntRange(max = 30) Integer> accesses) {
    HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), () -> 0, 3);
    accesses.forEach(key -> tracker.record(id(key)));
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
