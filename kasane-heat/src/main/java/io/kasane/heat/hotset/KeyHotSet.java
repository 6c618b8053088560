/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.hotset;

import io.kasane.heat.key.HeatKey;
import io.kasane.heat.key.IdSet;
import io.kasane.heat.policy.HotSetBuilder;
import java.util.function.LongToDoubleFunction;

/**
 * A hot set of ids, 12 bytes per hot key: those named hot are hot, those named kept are unknown,
 * all others share one temperature. Built by {@link HotSetBuilder}.
 */
public final class KeyHotSet extends SummedHotSet {
  /** No heat makes a key hot. */
  public static final LongToDoubleFunction NOBODY = size -> Double.POSITIVE_INFINITY;

  static final KeyHotSet UNKNOWN =
      new KeyHotSet(IdSet.EMPTY, IdSet.EMPTY, Temperature.UNKNOWN, 0, 0, NOBODY);

  private final IdSet hot;
  private final IdSet kept;
  private final Temperature others;

  public KeyHotSet(
      IdSet hot,
      IdSet kept,
      Temperature others,
      long hotBytes,
      double accessShare,
      LongToDoubleFunction leastHeat) {
    super(hot.size(), hotBytes, accessShare, leastHeat);
    this.hot = hot;
    this.kept = kept;
    this.others = others;
  }

  @Override
  public Temperature temperatureOf(long keyId) {
    long prefix = HeatKey.prefixOf(keyId);
    if (hot.contains(prefix)) {
      return Temperature.HOT;
    }
    return kept.contains(prefix) ? Temperature.UNKNOWN : others;
  }

  @Override
  public Temperature others() {
    return others;
  }
}
