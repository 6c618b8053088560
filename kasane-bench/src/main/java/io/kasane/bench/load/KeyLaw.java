/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.load;

/** Which key comes next. Implementations are safe for use by many threads. */
public interface KeyLaw {
  /**
   * Draws a key.
   *
   * @param progress how much of the run is over, 0 to 1
   * @return a row number from 0
   */
  int next(double progress);

  /** Draws the key of an update; most laws make no difference. */
  default int nextUpdate(double progress) {
    return next(progress);
  }

  /** Returns the keys most likely to be drawn then, most likely first; fewer if fewer are known. */
  int[] hottest(int count, double progress);

  /** Returns the law in a few words, for reports. */
  String describe();
}
