/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.sim;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.policy.HeatPolicy;
import io.kasane.heat.track.HeatTracker;
import io.kasane.heat.track.HeatTrackerOptions;

/**
 * A tracker and a policy as a node runs them, but for the clock: an access takes a millisecond. The
 * tracker advances ten times a period, like a node's once a second in periods of 10 s. Not
 * thread-safe.
 */
public final class TrackedChooser implements Chooser {
  private static final int ADVANCES_PER_PERIOD = 10;

  private final HeatTracker tracker;
  private final HeatPolicy policy;
  private final long advanceEvery;
  private HotSet hot = HotSet.unknown();
  private long accesses;
  private double heatShares;
  private int choices;

  /**
   * Starts with an empty tracker.
   *
   * @param options its settings; {@code periodMillis} counts accesses here
   * @param seed of its hash
   */
  public TrackedChooser(HeatTrackerOptions options, HeatPolicy policy, long seed) {
    this.tracker = new HeatTracker(options, () -> accesses, seed);
    this.policy = policy;
    this.advanceEvery = Math.max(1, options.periodMillis() / ADVANCES_PER_PERIOD);
  }

  /** A tracker looks at the upper bits of an id. */
  private static long idOf(int key) {
    return (long) key << Integer.SIZE;
  }

  @Override
  public void record(int key) {
    tracker.record(idOf(key));
    if (++accesses % advanceEvery == 0) {
      tracker.advance();
    }
  }

  @Override
  public void choose() {
    tracker.advance();
    hot = policy.select(tracker.snapshot());
    heatShares += hot.accessShare();
    choices++;
  }

  @Override
  public boolean isHot(int key) {
    return hot.temperatureOf(idOf(key)) == Temperature.HOT;
  }

  @Override
  public long hotKeys() {
    return hot.hotKeys();
  }

  /** Share of the tracker's heat that fell on the hot keys, 0 to 1, mean of all choices. */
  public double meanHeatShare() {
    return choices == 0 ? 0 : heatShares / choices;
  }

  /** The tracker, to ask what it holds. */
  public HeatTracker tracker() {
    return tracker;
  }
}
