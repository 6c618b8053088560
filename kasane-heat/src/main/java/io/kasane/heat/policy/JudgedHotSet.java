/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HeatJudge;
import io.kasane.heat.hotset.SummedHotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatTracker;
import java.util.function.LongToDoubleFunction;

/** A hot set of many keys: each is judged by what the tracker knows of it when it is asked for. */
final class JudgedHotSet extends SummedHotSet {
  private final HeatTracker tracker;
  private final HeatJudge judge;

  JudgedHotSet(
      HeatTracker tracker,
      HeatJudge judge,
      long hotKeys,
      long hotBytes,
      double accessShare,
      LongToDoubleFunction leastHeat) {
    super(hotKeys, hotBytes, accessShare, leastHeat);
    this.tracker = tracker;
    this.judge = judge;
  }

  @Override
  public Temperature temperatureOf(long keyId) {
    return tracker.judge(keyId, judge);
  }

  @Override
  public Temperature others() {
    return judge.others();
  }
}
