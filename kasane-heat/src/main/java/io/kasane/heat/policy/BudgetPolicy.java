/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.heat.policy;

import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.heat.track.HeatRanking;
import io.kasane.heat.track.HeatSnapshot;
import java.util.function.LongSupplier;

/**
 * Hot are the keys with the most heat per byte that fit a budget of bytes (the fast quota): the
 * greedy answer to the knapsack problem (Dantzig 1957), off the best one by less than the heat of
 * one key per size class. A key too big for what is left is passed over and smaller ones follow.
 *
 * <p>A row is demoted only when hotter rows need its place: while the tracked keys leave room for
 * another key of mean size, keys that are not hot are unknown; once they fill the budget, those not
 * in it are cold. With a budget of 0 (or less) there is no room at all: every key is cold.
 *
 * <p>Two keys of nearly the same heat change places with every few accesses, and each change costs
 * a row written twice. So the keys that come next in the ranking, up to {@code keepFactor} times
 * the budget, are unknown rather than cold: they stay where they are until they clearly rose or
 * fell. And keys that are hot already stay hot until others are clearly hotter than chance makes
 * them: a policy with such a band remembers its last answer.
 */
public final class BudgetPolicy implements HeatPolicy {
  /** In a sample, what would take more than such a part of the budget is passed over. */
  private static final int BIG = 8;

  private final LongSupplier budgetBytes;
  private final double keepFactor;
  private final LongSupplier defaultKeyBytes;
  private volatile HotSet previous = HotSet.unknown();

  /** A policy without a band in which keys stay where they are. */
  public BudgetPolicy(LongSupplier budgetBytes, long defaultKeyBytes) {
    this(budgetBytes, 1, () -> defaultKeyBytes);
    requireAtLeastOne(defaultKeyBytes);
  }

  /**
   * A policy.
   *
   * @param budgetBytes asked once per selection for the bytes that hot keys may take
   * @param keepFactor hot keys and those that stay where they are take at most this times the
   *     budget; at least 1
   * @param defaultKeyBytes asked for the size to assume for a key while no size at all was
   *     reported; at least 1
   */
  public BudgetPolicy(LongSupplier budgetBytes, double keepFactor, LongSupplier defaultKeyBytes) {
    if (!(keepFactor >= 1)) {
      throw new IllegalArgumentException(
          "keepFactor is " + keepFactor + ", but must be at least 1: use 1 for no band");
    }
    this.budgetBytes = budgetBytes;
    this.keepFactor = keepFactor;
    this.defaultKeyBytes = defaultKeyBytes;
  }

  private static long requireAtLeastOne(long defaultKeyBytes) {
    if (defaultKeyBytes < 1) {
      throw new IllegalArgumentException(
          "defaultKeyBytes is "
              + defaultKeyBytes
              + ", but must be at least 1 byte: set it to the size of a typical partition");
    }
    return defaultKeyBytes;
  }

  @Override
  public HotSet select(HeatSnapshot heat) {
    long budget = budgetBytes.getAsLong();
    long mean = Math.max(1, Math.round(heat.meanSizeBytes()));
    long unknownSize =
        heat.meanSizeBytes() > 0 ? mean : requireAtLeastOne(defaultKeyBytes.getAsLong());
    HotSetBuilder hot = new HotSetBuilder(heat, unknownSize);
    if (budget <= 0) {
      return hot.buildByHeatPerByte(Temperature.COLD);
    }
    long smallest = unknownSize;
    double all = 0;
    for (int i = 0; i < heat.size(); i++) {
      long size = sizeAt(heat, i, unknownSize);
      smallest = Math.min(smallest, size);
      all += (double) heat.weight() * size;
    }
    HotSet answer =
        all <= budget
            ? allOf(heat, hot, budget, unknownSize)
            : bestOf(heat, hot, budget, new Sizes(unknownSize, smallest));
    if (keepFactor > 1) {
      previous = answer;
    }
    return answer;
  }

  /** Without a ranking, which takes most of the time where it is needed. */
  private static HotSet allOf(HeatSnapshot heat, HotSetBuilder hot, long budget, long unknownSize) {
    hot.addAll();
    return hot.buildOfAll(others(heat, budget - hot.bytes(), unknownSize));
  }

  private static Temperature others(HeatSnapshot heat, long leftBytes, long unknownSize) {
    return leftBytes < heat.weight() * unknownSize ? Temperature.COLD : Temperature.UNKNOWN;
  }

  /** Bytes to assume where no size was reported, and of the smallest key. */
  private record Sizes(long unknown, long smallest) {}

  private HotSet bestOf(HeatSnapshot heat, HotSetBuilder hot, long budget, Sizes sizes) {
    HotSet before = previous;
    HeatRanking ranking =
        HeatRanking.byHeatPerByte(
            heat, sizes.unknown, at -> keepFactor > 1 && heat.wasHot(at, before));
    boolean isOpen = true;
    for (int at = ranking.next(); at >= 0; at = ranking.next()) {
      long size = heat.weight() * sizeAt(heat, at, sizes.unknown);
      long left = budget - hot.bytes();
      long leftToKeep = (long) (keepFactor * budget) - hot.bytes() - hot.keptBytes();
      if (isOpen && size <= left) {
        hot.add(at);
      } else if (heat.isSample() && size > budget / BIG) {
        hot.passOver(at);
      } else if (size <= leftToKeep) {
        hot.keep(at);
        isOpen = !heat.isSample(); // there, what is colder is not hot
      } else if (heat.isSample() || (left < sizes.smallest && leftToKeep < sizes.smallest)) {
        break;
      } else {
        hot.passOver(at);
      }
    }
    return hot.buildByHeatPerByte(others(heat, budget - hot.bytes(), sizes.unknown));
  }

  private static long sizeAt(HeatSnapshot heat, int position, long unknownSize) {
    long size = heat.sizeBytesAt(position);
    return size > 0 ? size : unknownSize;
  }

  @Override
  public String name() {
    return "budget";
  }
}
