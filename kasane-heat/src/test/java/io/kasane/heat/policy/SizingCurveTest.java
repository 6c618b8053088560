/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import static io.kasane.heat.track.Ids.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.sim.Trace;
import io.kasane.heat.track.HeatSnapshot;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SizingCurveTest {
  private static final int KEYS = 20_000;
  private static final int ROW_BYTES = 1_000;

  private final AtomicLong clock = new AtomicLong(1_000_000);
  private final HeatTracker tracker = tracker(11);

  private HeatTracker tracker(long seed) {
    return new HeatTracker(HeatTrackerOptions.defaults(), clock::get, seed);
  }

  private void replay(Trace trace, int from, int to, int accessesAPeriod) {
    replay(tracker, trace, from, to, accessesAPeriod);
  }

  private void replay(HeatTracker tracker, Trace trace, int from, int to, int accessesAPeriod) {
    for (int i = from; i < to; i++) {
      if (i % accessesAPeriod == 0) {
        clock.addAndGet(tracker.snapshot().periodMillis());
        tracker.advance();
      }
      tracker.record(id(trace.keyAt(i)));
      tracker.recordSize(id(trace.keyAt(i)), ROW_BYTES);
    }
  }

  /**
   * The share of later accesses that a fast disk of a size serves, for some sizes: in the mean, as
   * counts have few digits, and one seed's chance moves a share by half a hundredth.
   */
  @Test
  void foretellsWhatABudgetOfThatSizeServes() {
    int learned = 60_000;
    int judged = 60_000;
    int seeds = 10;
    double[] shares = {0.01, 0.05, 0.1, 0.2};
    double[] foretold = new double[shares.length];
    double[] served = new double[shares.length];
    Trace trace = Trace.zipf(KEYS, 0.99, learned + judged, 7);
    for (int seed = 11; seed < 11 + seeds; seed++) {
      HeatTracker seeded = tracker(seed);
      replay(seeded, trace, 0, learned, 5_000);
      HeatSnapshot heat = seeded.snapshot();
      SizingCurve curve = SizingCurve.of(heat, ROW_BYTES);
      for (int s = 0; s < shares.length; s++) {
        long budget = (long) (shares[s] * KEYS * ROW_BYTES);
        HotSet hot = new BudgetPolicy(() -> budget, 1, () -> ROW_BYTES).select(heat);
        for (int i = learned; i < learned + judged; i++) {
          served[s] += hot.temperatureOf(id(trace.keyAt(i))) == Temperature.HOT ? 1 : 0;
        }
        foretold[s] += curve.at(budget).accessShare();
        assertThat((double) curve.at(budget).hotKeys())
            .isCloseTo(shares[s] * KEYS, within(1 + shares[s] * KEYS / 100));
      }
    }
    for (int s = 0; s < shares.length; s++) {
      assertThat(foretold[s] / seeds)
          .as("share served by %.0f %% of the data", shares[s] * 100)
          .isCloseTo(served[s] / judged / seeds, within(0.02));
    }
  }

  /** All keys are alike: those that were read more often by chance promise nothing. */
  @Test
  void chanceDoesNotFlatter() {
    Trace trace = Trace.zipf(KEYS, 0.0001, 30_000, 7);
    replay(trace, 0, 30_000, 3_000);
    HeatSnapshot heat = tracker.snapshot();
    double naive = heat.accessShareOfHottest(100.0 * KEYS / 10 / heat.size())[0];
    assertThat(naive).isGreaterThan(0.2);
    assertThat(SizingCurve.of(heat, ROW_BYTES).at((long) KEYS * ROW_BYTES / 10).accessShare())
        .isCloseTo(0.1, within(0.02));
  }

  @Test
  void aFewAccessesAreTakenAsTheyAre() {
    tracker.record(id(1));
    tracker.record(id(1));
    tracker.record(id(2));
    SizingCurve curve = SizingCurve.of(tracker.snapshot(), 100);
    assertThat(curve.at(99)).isEqualTo(new SizingCurve.Point(99, 0, 0));
    assertThat(curve.at(100).accessShare()).isCloseTo(2.0 / 3, within(1e-9));
    assertThat(curve.at(1_000)).isEqualTo(new SizingCurve.Point(1_000, 2, 1));
    assertThat(curve.knee().hotKeys()).isEqualTo(1);
  }

  @Test
  void nothingIsKnownOfNothing() {
    SizingCurve curve = SizingCurve.of(tracker.snapshot(), 100);
    assertThat(curve.points(20)).isEmpty();
    assertThat(curve.knee()).isEqualTo(new SizingCurve.Point(0, 0, 0));
    assertThat(curve.at(1_000).accessShare()).isZero();
  }

  @Test
  void rises() {
    Trace trace = Trace.zipf(KEYS, 0.99, 40_000, 3);
    replay(trace, 0, 40_000, 5_000);
    SizingCurve curve = SizingCurve.of(tracker.snapshot(), ROW_BYTES);
    List<SizingCurve.Point> points = curve.points(20);
    assertThat(points).hasSizeBetween(15, 20);
    assertThat(points)
        .isSortedAccordingTo(
            Comparator.comparingLong(SizingCurve.Point::hotBytes)
                .thenComparingDouble(SizingCurve.Point::accessShare));
    assertThat(curve.knee().accessShare())
        .isBetween(0.3, points.get(points.size() - 1).accessShare());
  }
}
