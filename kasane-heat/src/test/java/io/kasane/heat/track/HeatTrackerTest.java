/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.track;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.policy.BudgetPolicy;
import io.kasane.heat.sim.Trace;
import io.kasane.heat.table.HeatChunks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HeatTrackerTest {
  private final AtomicLong clock = new AtomicLong(1_000_000);

  private HeatTracker tracker(int capacity) {
    return new HeatTracker(
        HeatTrackerOptions.defaults().withCapacityKeys(capacity), clock::get, 11);
  }

  private HeatTracker unaged(int capacity) {
    return new HeatTracker(
        new HeatTrackerOptions(capacity, 1000, HeatTrackerOptions.MAX_AGING_ACCESSES),
        clock::get,
        11);
  }

  @Test
  void periodsRollWithTheClock() {
    HeatTracker tracker = tracker(100);
    tracker.record(id(5));
    clock.addAndGet(9_999);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(5), 1, 0, 0, 1));
    assertThat(tracker.snapshot().wholePeriodObserved()).isFalse();
    clock.addAndGet(1);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(5), 1, 0, 1, 0));
    assertThat(tracker.snapshot().wholePeriodObserved()).isTrue();
    tracker.record(id(5));
    tracker.record(id(5));
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(5), 3, 0, 1, 2));
    clock.addAndGet(10_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(5), 3, 0, 2, 0));
    clock.addAndGet(10_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(5), 3, 0, 0, 0));
  }

  @Test
  void aLateAdvanceMakesALongPeriodNotAnEmptyOne() {
    HeatTracker tracker = tracker(100);
    tracker.record(id(5));
    clock.addAndGet(35_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0).lastPeriodAccesses()).isEqualTo(1);
    clock.addAndGet(4_999);
    tracker.advance();
    assertThat(tracker.snapshot().at(0).lastPeriodAccesses()).isEqualTo(1);
    clock.addAndGet(1);
    tracker.advance();
    assertThat(tracker.snapshot().at(0).lastPeriodAccesses()).isZero();
  }

  @Test
  void aClockThatStepsBackChangesNothing() {
    HeatTracker tracker = tracker(100);
    tracker.record(id(5));
    clock.addAndGet(-500_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0).runningPeriodAccesses()).isEqualTo(1);
  }

  @Test
  void agingFollowsAccessesNotTime() {
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(100, 1000, 64), clock::get, 1);
    tracker.record(id(1));
    clock.addAndGet(100_000_000);
    tracker.advance();
    assertThat(tracker.heatOf(id(1))).isEqualTo(1);
    for (int i = 0; i < 64; i++) {
      tracker.record(id(2));
    }
    assertThat(tracker.heatOf(id(1))).isEqualTo(0.5);
    assertThat(tracker.heatOf(id(2))).isEqualTo(32);
    for (int i = 0; i < 4 * 64; i++) {
      tracker.record(id(2));
    }
    assertThat(tracker.heatOf(id(1))).isZero();
    assertThat(tracker.trackedKeys()).isEqualTo(1);
  }

  @Test
  void heatIsHalvedWhenItTellsLess() {
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(100, 1000, 128), clock::get, 1);
    for (int i = 0; i < 64; i++) {
      tracker.record(id(1));
    }
    tracker.halve();
    assertThat(tracker.heatOf(id(1))).isEqualTo(32);
    assertThat(tracker.snapshot().totalHeat()).isEqualTo(32);
    for (int i = 0; i < 64; i++) {
      tracker.record(id(1));
    }
    assertThat(tracker.heatOf(id(1))).as("half of the way to the next halving").isEqualTo(96);
  }

  @Test
  void aFloodOfNewKeysDoesNotWashOutTheHotOnes() {
    HeatTracker tracker = tracker(10_000);
    for (int round = 0; round < 100; round++) {
      for (int hot = 0; hot < 5000; hot++) {
        tracker.record(id(hot));
      }
      for (int i = 0; i < 20_000; i++) {
        tracker.record(id(1_000_000L + round * 20_000L + i));
      }
    }
    List<KeyHeat> hottest = tracker.snapshot().hottest(5000);
    assertThat(hottest.stream().filter(key -> key.keyId() < id(5000)).count()).isGreaterThan(4950);
    assertThat(tracker.trackedKeys()).isBetween(10_000L, 12_000L);
  }

  @Test
  void aNewHotKeyGetsInThoughItMeetsAFullTracker() {
    HeatTracker tracker = tracker(1000);
    for (int i = 0; i < 10_000; i++) {
      tracker.record(id(i % 1000));
    }
    int found = 0;
    for (int key = 0; key < 50; key++) {
      for (int i = 0; i < 40; i++) {
        tracker.record(id(-7 - key));
        for (int j = 0; j < 300; j++) {
          tracker.record(id(2_000_000L + (key * 40L + i) * 300L + j));
        }
      }
      found += tracker.heatOf(id(-7 - key)) >= 20 ? 1 : 0;
    }
    assertThat(found).as("of 50 keys that come one after the other").isGreaterThan(25);
  }

  @Test
  void meanSizeKnowsUntrackedKeysToo() {
    HeatTracker tracker = tracker(100);
    tracker.record(id(1));
    tracker.recordSize(id(1), 100);
    tracker.recordSize(id(2), 300);
    assertThat(tracker.snapshot().meanSizeBytes()).isEqualTo(200);
    assertThat(tracker.trackedKeys()).isEqualTo(1);
    tracker.recordSize(id(1), Long.MAX_VALUE);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isGreaterThan(0xF0000000L);
    tracker.recordSize(id(1), -5);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(1);
  }

  @Test
  void aPartOnlyRaisesAKnownSize() {
    HeatTracker tracker = tracker(100);
    tracker.record(id(1));
    tracker.recordPart(id(1), 100);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isZero();
    assertThat(tracker.snapshot().meanSizeBytes()).isZero();
    tracker.recordSize(id(1), 100);
    tracker.recordPart(id(1), 50);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isBetween(94L, 106L);
    tracker.recordPart(id(1), 300);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isBetween(280L, 320L);
    assertThat(tracker.sizeOf(id(1))).isBetween(280L, 320L);
    assertThat(tracker.sizeOf(id(2))).as("not tracked").isZero();
    tracker.recordPart(id(1), Long.MAX_VALUE);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isGreaterThan(0xF0000000L);
    assertThat(tracker.snapshot().meanSizeBytes()).isEqualTo(100);
  }

  @Test
  void clearForgetsEverything() {
    HeatTracker tracker = tracker(100);
    for (int i = 0; i < 1000; i++) {
      tracker.record(id(i));
    }
    clock.addAndGet(10_000);
    tracker.advance();
    tracker.clear();
    assertThat(tracker.trackedKeys()).isZero();
    assertThat(tracker.totalAccesses()).isZero();
    assertThat(tracker.snapshot().warm()).isFalse();
    assertThat(tracker.snapshot().wholePeriodObserved()).isFalse();
    assertThat(tracker.snapshot().totalHeat()).isZero();
    tracker.record(id(3));
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(id(3), 1, 0, 0, 1));
  }

  @Test
  void aKeyTakesElevenBytesOutsideTheHeap() {
    int capacity = 400_000;
    HeatTracker tracker = tracker(capacity);
    assertThat(tracker.memoryBytes()).as("starts small").isLessThan(100_000);
    for (int i = 0; i < 2 * capacity; i++) {
      tracker.record(id(i));
    }
    assertThat(tracker.memoryBytes() / (double) capacity).isLessThanOrEqualTo(11);
    assertThat(tracker.trackedKeys()).isBetween(capacity * 9L / 10, capacity * 5L / 4);
    tracker.resize(40_000);
    assertThat(tracker.memoryBytes()).isLessThanOrEqualTo(11 * 40_000 + HeatChunks.CHUNK_BYTES);
  }

  /** Heat grows between two halvings, and so does what a key needs to be hot. */
  @Test
  @Tag("slow")
  void aLineIsRightAfterAHalvingAndBeforeTheNext() {
    int keys = 400_000;
    HeatTracker tracker = unaged(2 * keys);
    Trace trace = Trace.zipf(keys, 0.8, 4_000_000, 5);
    for (int i = 0; i < trace.length() / 2; i++) {
      tracker.record(id(trace.keyAt(i)));
    }
    HotSet hot = new BudgetPolicy(() -> 40_000, 1.05, () -> 1).select(tracker.snapshot());
    assertThat((double) hotOf(hot, keys)).isCloseTo(40_000, within(4_000.0));
    tracker.halve();
    assertThat((double) hotOf(hot, keys)).as("halved").isCloseTo(40_000, within(4_000.0));
    for (int i = trace.length() / 2; i < trace.length(); i++) {
      tracker.record(id(trace.keyAt(i)));
    }
    assertThat((double) hotOf(hot, keys)).as("later").isCloseTo(40_000, within(8_000.0));
    tracker.close();
    assertThat(hot.temperatureOf(id(0))).as("closed").isEqualTo(Temperature.UNKNOWN);
  }

  private static int hotOf(HotSet set, int keys) {
    int hot = 0;
    for (int key = 0; key < keys; key++) {
      hot += set.temperatureOf(id(key)) == Temperature.HOT ? 1 : 0;
    }
    return hot;
  }

  /** Keys that left have heat, too: that is not the heat of a few very hot ones. */
  @Test
  @Tag("slow")
  void evictedKeysDoNotMakeASampleLookSkewed() {
    HeatTracker tracker = tracker(200_000);
    Trace trace = Trace.zipf(5_000_000, 0.0001, 5_000_000, 3);
    for (int i = 0; i < trace.length(); i++) {
      tracker.record(id(trace.keyAt(i)));
    }
    int second = 0;
    for (int judged : new int[] {1, 5, 64, 70}) {
      for (; second < judged; second++) {
        tracker.advance();
      }
      HeatSnapshot heat = tracker.snapshot();
      assertThat(heat.isSample()).isTrue();
      HotSet hot = new BudgetPolicy(() -> 1_000, 1, () -> 1).select(heat);
      assertThat(hot.accessShare()).as("after %d s", judged).isLessThan(0.02);
    }
  }

  @Test
  void largeRowsArePassedOverInASample() {
    int keys = 400_000;
    HeatTracker tracker = tracker(2 * keys);
    for (int key = 0; key < keys; key++) {
      tracker.record(id(key));
      tracker.recordSize(id(key), key % 200 == 0 ? 2_000_000 : 1_000);
    }
    HotSet hot = new BudgetPolicy(() -> 40_000_000, 1, () -> 1).select(tracker.snapshot());
    assertThat((double) hot.hotBytes()).isBetween(36e6, 40e6);
    assertThat(hot.temperatureOf(id(200))).isNotEqualTo(Temperature.HOT);
  }

  @Test
  void whatIsClearedTakesNoMemoryAndNoTime() {
    HeatTracker tracker = tracker(2_000_000);
    for (int key = 0; key < 1_000_000; key++) {
      tracker.record(id(key));
    }
    assertThat(tracker.memoryBytes()).isGreaterThan(10_000_000);
    tracker.clear();
    tracker.record(id(1));
    assertThat(tracker.memoryBytes()).isLessThan(100_000);
    assertThat(tracker.snapshot().isSample()).isFalse();
  }

  @Test
  void manyKeysAreJudgedByALine() {
    int keys = 1_000_000;
    HeatTracker tracker = unaged(2 * keys);
    for (int key = 0; key < keys; key++) {
      for (int i = 0; i <= key % 10; i++) {
        tracker.record(id(key));
      }
    }
    HeatSnapshot heat = tracker.snapshot();
    assertThat(heat.isSample()).isTrue();
    assertThat(heat.size()).isLessThan(2 * HeatTracker.SAMPLED_KEYS);
    assertThat((double) heat.keys()).isCloseTo(keys, within(keys / 50.0));
    HotSet hot = new BudgetPolicy(() -> 250_000, 1, () -> 1).select(heat);
    assertThat((double) hot.hotKeys()).isCloseTo(250_000, within(100.0));
    int[] hotByHeat = new int[11];
    for (int key = 0; key < keys; key++) {
      hotByHeat[key % 10 + 1] += hot.temperatureOf(id(key)) == Temperature.HOT ? 1 : 0;
    }
    assertThat(hotByHeat[10]).isGreaterThan(99_000);
    assertThat(hotByHeat[9]).isGreaterThan(99_000);
    assertThat((double) hotByHeat[8]).as("some of them").isCloseTo(50_000, within(5_000.0));
    assertThat(hotByHeat[7]).as("that took the place of others").isLessThan(1_000);
    assertThat(hot.temperatureOf(id(-1))).isEqualTo(Temperature.COLD);
    assertThat(hot.accessShare()).isCloseTo((10 + 9 + 4) / 55.0, within(0.01));
    assertThat(heat.accessShareOfHottest(20)[0]).isCloseTo(19 / 55.0, within(0.01));
  }

  /** Of many keys a sample draws a line. Those that are on it are many, too. */
  @Test
  void keysOfOneAccessStayWhatTheyAreWhenOthersAreAccessed() {
    int keys = 400_000;
    HeatTracker tracker =
        new HeatTracker(
            new HeatTrackerOptions(2 * keys, 1000, HeatTrackerOptions.MAX_AGING_ACCESSES),
            clock::get,
            5);
    for (int key = 0; key < keys; key++) {
      tracker.record(id(key));
      tracker.recordSize(id(key), 100);
    }
    HotSet all = new BudgetPolicy(() -> 1L << 40, 100).select(tracker.snapshot());
    HotSet half = new BudgetPolicy(() -> 50L * keys, 100).select(tracker.snapshot());
    for (int i = 0; i < keys / 50; i++) {
      tracker.record(id(i % 10));
    }
    assertThat((double) hotOf(half, keys)).isCloseTo(keys / 2.0, within(keys / 50.0));
    assertThat(hotOf(all, keys)).isGreaterThan(keys * 98 / 100);
  }

  @Test
  void aThreadSeesItsOwnAccessesAtOnceAndThoseOfOthersAfterTheTick() throws Exception {
    HeatTracker tracker = new HeatTracker(HeatTrackerOptions.defaults(), clock::get, 5);
    int threads = 100;
    for (int i = 0; i < threads; i++) {
      long key = id(i);
      double[] seen = new double[1];
      Thread other =
          new Thread(
              () -> {
                tracker.record(key);
                seen[0] = tracker.heatOf(key);
                tracker.record(key);
              });
      other.start();
      other.join();
      assertThat(seen[0]).isEqualTo(1);
    }
    tracker.advance();
    for (int i = 0; i < threads; i++) {
      assertThat(tracker.heatOf(id(i))).isEqualTo(2);
    }
    assertThat(tracker.totalAccesses()).isEqualTo(2L * threads);
  }

  @Test
  void countsAddUpUnderThreads() throws Exception {
    int threads = 4;
    int keys = 20_000;
    HeatTracker tracker =
        new HeatTracker(
            new HeatTrackerOptions(50_000, 10, HeatTrackerOptions.MAX_AGING_ACCESSES),
            clock::get,
            5);
    List<Trace> traces = new ArrayList<>();
    Map<Long, Integer> exact = new HashMap<>();
    // It grows first: as long as who moves keys has lost its processor, buckets may be full.
    for (int key = 0; key < keys; key++) {
      tracker.record(id(key));
      exact.put((long) key, 1);
    }
    for (int t = 0; t < threads; t++) {
      Trace trace = Trace.zipf(keys, 0.99, 300_000, t);
      traces.add(trace);
      for (int i = 0; i < trace.length(); i++) {
        exact.merge((long) trace.keyAt(i), 1, Integer::sum);
      }
    }
    AtomicBoolean running = new AtomicBoolean(true);
    Thread maintenance =
        new Thread(
            () -> {
              while (running.get()) {
                clock.addAndGet(10);
                tracker.advance();
                tracker.snapshot();
              }
            });
    maintenance.start();
    List<Thread> recorders = new ArrayList<>();
    for (Trace trace : traces) {
      recorders.add(
          new Thread(
              () -> {
                for (int i = 0; i < trace.length(); i++) {
                  tracker.record(id(trace.keyAt(i)));
                }
              }));
    }
    recorders.forEach(Thread::start);
    for (Thread recorder : recorders) {
      recorder.join();
    }
    running.set(false);
    maintenance.join();

    long calls = keys + threads * 300_000L;
    HeatSnapshot snapshot = tracker.snapshot();
    assertThat(tracker.totalAccesses() + tracker.lostAccesses()).isEqualTo(calls);
    double all = tracker.totalAccesses();
    assertThat(snapshot.totalHeat()).isCloseTo(all, within(all / 50));
    assertThat(exact.size() - tracker.trackedKeys())
        .as("a key can be missing when accesses were lost or its bucket is full")
        .isBetween(0L, tracker.lostAccesses() + keys / 100);
    double sum = 0;
    int hotter = 0;
    for (int i = 0; i < snapshot.size(); i++) {
      int counted = exact.getOrDefault(snapshot.keyIdAt(i) >> 26, 0);
      hotter += snapshot.heatAt(i) > 1.2 * counted + 3 ? 1 : 0;
      sum += snapshot.heatAt(i);
    }
    assertThat(hotter).as("have the heat of a key before them").isLessThan(keys / 50);
    assertThat(sum).isCloseTo(all, within(all / 50));
  }

  /** Accesses of other threads are recorded or counted as lost, whatever its size is meanwhile. */
  @Test
  void noAccessVanishesWhileItIsResized() throws InterruptedException {
    HeatTracker tracker =
        new HeatTracker(
            new HeatTrackerOptions(40_000, 1000, HeatTrackerOptions.MAX_AGING_ACCESSES),
            clock::get,
            11);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      Thread thread =
          new Thread(
              () -> {
                for (long i = 0; i < 400_000; i++) {
                  tracker.record(id(i % 5000));
                  if (i % 100 == 0) {
                    tracker.recordSize(id(i % 5000), 7);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    int resizes = 0;
    while (threads.stream().anyMatch(Thread::isAlive)) {
      tracker.resize(resizes % 2 == 0 ? 20_000 : 60_000);
      assertThat(tracker.snapshot().size()).isLessThanOrEqualTo(5000);
      resizes++;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(resizes).isPositive();
    assertThat(tracker.totalAccesses() + tracker.lostAccesses()).isEqualTo(800_000);
    double heat = 0;
    for (long key = 0; key < 5000; key++) {
      heat += tracker.heatOf(id(key));
    }
    assertThat(heat).isCloseTo((double) tracker.totalAccesses(), within(16_000.0));
    assertThat(tracker.trackedKeys()).isBetween(4950L, 5000L);
  }
}
