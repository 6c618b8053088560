/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

import java.util.function.LongToDoubleFunction;

/** What a hot set is in sum, as it was drawn. */
public abstract class SummedHotSet implements HotSet {
  private final long hotKeys;
  private final long hotBytes;
  private final double accessShare;
  private final LongToDoubleFunction leastHeat;

  public SummedHotSet(
      long hotKeys, long hotBytes, double accessShare, LongToDoubleFunction leastHeat) {
    this.hotKeys = hotKeys;
    this.hotBytes = hotBytes;
    this.accessShare = accessShare;
    this.leastHeat = leastHeat;
  }

  @Override
  public final long hotKeys() {
    return hotKeys;
  }

  @Override
  public final long hotBytes() {
    return hotBytes;
  }

  @Override
  public final double accessShare() {
    return accessShare;
  }

  @Override
  public final double leastHeat(long sizeBytes) {
    return leastHeat.applyAsDouble(sizeBytes);
  }

  @Override
  public final String toString() {
    return "HotSet[keys=" + hotKeys + ", bytes=" + hotBytes + ", accessShare=" + accessShare + "]";
  }
}
