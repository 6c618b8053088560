/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

import java.util.Arrays;

/** Another law whose keys change places at one moment: what was hot is cold from then on. */
public final class Shifted implements KeyLaw {
  private final KeyLaw law;
  private final int rows;
  private final double at;

  /**
   * Wraps a law.
   *
   * @param at the share of the run after which the keys are others
   */
  public Shifted(KeyLaw law, int rows, double at) {
    this.law = law;
    this.rows = rows;
    this.at = at;
  }

  private int shift(int key, double progress) {
    return progress < at ? key : (key + rows / 2) % rows;
  }

  @Override
  public int next(double progress) {
    return shift(law.next(progress), progress);
  }

  @Override
  public int nextUpdate(double progress) {
    return shift(law.nextUpdate(progress), progress);
  }

  @Override
  public int[] hottest(int count, double progress) {
    return Arrays.stream(law.hottest(count, progress)).map(key -> shift(key, progress)).toArray();
  }

  @Override
  public String describe() {
    return law.describe() + ", hot set shifts after " + Math.round(at * 100) + " %";
  }
}
