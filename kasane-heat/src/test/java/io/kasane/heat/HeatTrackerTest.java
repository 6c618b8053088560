/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import static org.assertj.core.api.Assertions.assertThat;

import io.kasane.heat.sim.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeatTrackerTest {
  private final AtomicLong clock = new AtomicLong(1_000_000);

  private HeatTracker tracker(int capacity) {
    return new HeatTracker(
        HeatTrackerOptions.defaults().withCapacityKeys(capacity), clock::get, 11);
  }

  @Test
  void periodsRollWithTheClock() {
    HeatTracker tracker = tracker(100);
    tracker.record(5);
    clock.addAndGet(9_999);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(5, 1, 0, 0, 1));
    assertThat(tracker.snapshot().wholePeriodObserved()).isFalse();
    clock.addAndGet(1);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(5, 1, 0, 1, 0));
    assertThat(tracker.snapshot().wholePeriodObserved()).isTrue();
    tracker.record(5);
    tracker.record(5);
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(5, 3, 0, 1, 2));
    clock.addAndGet(10_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(5, 3, 0, 2, 0));
    clock.addAndGet(10_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(5, 3, 0, 0, 0));
  }

  @Test
  void aLateAdvanceMakesALongPeriodNotAnEmptyOne() {
    HeatTracker tracker = tracker(100);
    tracker.record(5);
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
    tracker.record(5);
    clock.addAndGet(-500_000);
    tracker.advance();
    assertThat(tracker.snapshot().at(0).runningPeriodAccesses()).isEqualTo(1);
  }

  @Test
  void agingFollowsAccessesNotTime() {
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(100, 1000, 64), clock::get, 1);
    tracker.record(1);
    clock.addAndGet(100_000_000);
    tracker.advance();
    assertThat(tracker.heatOf(1)).isEqualTo(1);
    for (int i = 0; i < 63; i++) {
      tracker.record(2);
    }
    assertThat(tracker.heatOf(1)).isEqualTo(0.5);
    assertThat(tracker.heatOf(2)).isEqualTo(31.5);
    for (int i = 0; i < 4 * 64; i++) {
      tracker.record(2);
    }
    assertThat(tracker.heatOf(1)).isZero();
    assertThat(tracker.trackedKeys()).isEqualTo(1);
  }

  @Test
  void heatIsHalvedWhenItTellsLess() {
    HeatTracker tracker = new HeatTracker(new HeatTrackerOptions(100, 1000, 128), clock::get, 1);
    for (int i = 0; i < 64; i++) {
      tracker.record(1);
    }
    tracker.halve();
    assertThat(tracker.heatOf(1)).isEqualTo(32);
    assertThat(tracker.snapshot().totalHeat()).isEqualTo(32);
    for (int i = 0; i < 64; i++) {
      tracker.record(1);
    }
    assertThat(tracker.heatOf(1)).as("half of the way to the next halving").isEqualTo(96);
  }

  @Test
  void aFloodOfNewKeysDoesNotWashOutTheHotOnes() {
    HeatTracker tracker = tracker(1000);
    for (int round = 0; round < 100; round++) {
      for (int hot = 0; hot < 500; hot++) {
        tracker.record(hot);
      }
      for (int i = 0; i < 2000; i++) {
        tracker.record(1_000_000L + round * 2000L + i);
      }
    }
    List<KeyHeat> hottest = tracker.snapshot().hottest(500);
    assertThat(hottest).allMatch(key -> key.keyId() < 500);
    assertThat(tracker.trackedKeys()).isBetween(875, 1000);
  }

  @Test
  void aNewHotKeyGetsInThoughItMeetsAFullTracker() {
    HeatTracker tracker = tracker(1000);
    for (int i = 0; i < 10_000; i++) {
      tracker.record(i % 1000);
    }
    for (int i = 0; i < 40; i++) {
      tracker.record(-7);
      for (int j = 0; j < 300; j++) {
        tracker.record(2_000_000L + i * 300L + j); // one sweep and more between two accesses
      }
    }
    assertThat(tracker.heatOf(-7)).isGreaterThanOrEqualTo(40);
  }

  @Test
  void meanSizeKnowsUntrackedKeysToo() {
    HeatTracker tracker = tracker(100);
    tracker.record(1);
    tracker.recordSize(1, 100);
    tracker.recordSize(2, 300);
    assertThat(tracker.snapshot().meanSizeBytes()).isEqualTo(200);
    assertThat(tracker.trackedKeys()).isEqualTo(1);
    tracker.recordSize(1, Long.MAX_VALUE);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(0xFFFFFFFFL);
    tracker.recordSize(1, -5);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(1);
  }

  @Test
  void aPartOnlyRaisesAKnownSize() {
    HeatTracker tracker = tracker(100);
    tracker.record(1);
    tracker.recordPart(1, 100);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isZero();
    assertThat(tracker.snapshot().meanSizeBytes()).isZero();
    tracker.recordSize(1, 100);
    tracker.recordPart(1, 50);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(100);
    tracker.recordPart(1, 300);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(300);
    assertThat(tracker.sizeOf(1)).isEqualTo(300);
    assertThat(tracker.sizeOf(2)).as("not tracked").isZero();
    tracker.recordPart(1, Long.MAX_VALUE);
    assertThat(tracker.snapshot().at(0).sizeBytes()).isEqualTo(0xFFFFFFFFL);
    assertThat(tracker.snapshot().meanSizeBytes()).isEqualTo(100);
  }

  @Test
  void clearForgetsEverything() {
    HeatTracker tracker = tracker(100);
    for (int i = 0; i < 1000; i++) {
      tracker.record(i);
    }
    clock.addAndGet(10_000);
    tracker.advance();
    tracker.clear();
    assertThat(tracker.trackedKeys()).isZero();
    assertThat(tracker.totalAccesses()).isZero();
    assertThat(tracker.snapshot().warm()).isFalse();
    assertThat(tracker.snapshot().wholePeriodObserved()).isFalse();
    assertThat(tracker.snapshot().totalHeat()).isZero();
    tracker.record(3);
    assertThat(tracker.snapshot().at(0)).isEqualTo(new KeyHeat(3, 1, 0, 0, 1));
  }

  @Test
  void memoryStaysWithinFortyEightBytesPerKey() {
    int capacity = 400_000;
    long before = usedHeap();
    HeatTracker tracker = tracker(capacity);
    assertThat(tracker.memoryBytes()).as("starts small").isLessThan(100_000);
    for (int i = 0; i < 2 * capacity; i++) {
      tracker.record(i);
    }
    long heap = usedHeap() - before;
    long bytes = tracker.memoryBytes();
    int tracked = tracker.trackedKeys();
    assertThat(bytes / (double) tracked).isLessThanOrEqualTo(48);
    assertThat(bytes / (double) capacity).isLessThanOrEqualTo(48);
    assertThat((double) heap).as("counted %d", bytes).isBetween(bytes * 0.9, bytes * 1.1);
    assertThat(tracked).isBetween(capacity * 7 / 8, capacity);
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
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
                  tracker.record(trace.keyAt(i));
                }
              }));
    }
    recorders.forEach(Thread::start);
    for (Thread recorder : recorders) {
      recorder.join();
    }
    running.set(false);
    maintenance.join();

    long calls = threads * 300_000L;
    HeatSnapshot snapshot = tracker.snapshot();
    assertThat(tracker.totalAccesses() + tracker.lostAccesses()).isEqualTo(calls);
    assertThat(snapshot.totalHeat()).isEqualTo((double) tracker.totalAccesses());
    assertThat(exact.size() - (long) tracker.trackedKeys())
        .as("a key can only be missing when accesses were lost")
        .isBetween(0L, tracker.lostAccesses());
    double sum = 0;
    for (int i = 0; i < snapshot.size(); i++) {
      assertThat(snapshot.heatAt(i))
          .isLessThanOrEqualTo(exact.getOrDefault(snapshot.keyIdAt(i), 0));
      sum += snapshot.heatAt(i);
    }
    assertThat(sum).isEqualTo((double) tracker.totalAccesses());
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
                  tracker.record(i % 5000);
                  if (i % 100 == 0) {
                    tracker.recordSize(i % 5000, 7);
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
      heat += tracker.heatOf(key);
    }
    assertThat(heat).isEqualTo((double) tracker.totalAccesses());
    assertThat(tracker.trackedKeys()).isEqualTo(5000);
  }
}
