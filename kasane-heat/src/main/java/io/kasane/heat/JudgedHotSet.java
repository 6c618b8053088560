/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat;

import java.util.function.LongToDoubleFunction;

/** A hot set of many keys: each is judged by what the tracker knows of it when it is asked for. */
final class JudgedHotSet implements HotSet {
  private final HeatTracker tracker;
  private final HeatJudge judge;
  private final long hotKeys;
  private final long hotBytes;
  private final double accessShare;
  private final LongToDoubleFunction leastHeat;

  JudgedHotSet(
      HeatTracker tracker,
      HeatJudge judge,
      long hotKeys,
      long hotBytes,
      double accessShare,
      LongToDoubleFunction leastHeat) {
    this.tracker = tracker;
    this.judge = judge;
    this.hotKeys = hotKeys;
    this.hotBytes = hotBytes;
    this.accessShare = accessShare;
    this.leastHeat = leastHeat;
  }

  @Override
  public Temperature temperatureOf(long keyId) {
    return tracker.judge(keyId, judge);
  }

  @Override
  public long hotKeys() {
    return hotKeys;
  }

  @Override
  public long hotBytes() {
    return hotBytes;
  }

  @Override
  public double accessShare() {
    return accessShare;
  }

  @Override
  public double leastHeat(long sizeBytes) {
    return leastHeat.applyAsDouble(sizeBytes);
  }

  @Override
  public String toString() {
    return "HotSet[keys="
        + hotKeys
        + ", bytes="
        + hotBytes
        + ", accessShare="
        + accessShare
        + ", by "
        + judge
        + "]";
  }
}
