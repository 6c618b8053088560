/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import java.util.ArrayList;
import java.util.List;

/**
 * Samples of a value at even intervals since the first one. When the list is full, every second
 * sample is removed and the interval doubles. Thread-safe.
 */
public final class History<T> {
  private final int mostSamples;
  private final List<T> samples = new ArrayList<>();
  private long taken;
  private long step = 1;

  /**
   * An empty history.
   *
   * @param mostSamples an even number
   */
  public History(int mostSamples) {
    this.mostSamples = mostSamples;
  }

  /** Takes note of a sample; called at even intervals. */
  public synchronized void add(T sample) {
    if (taken++ % step != 0) {
      return;
    }
    if (samples.size() == mostSamples) {
      for (int i = 1; i <= mostSamples / 2; i++) {
        samples.remove(i);
      }
      step *= 2;
      if ((taken - 1) % step != 0) {
        return;
      }
    }
    samples.add(sample);
  }

  /** What is kept, the oldest first. */
  public synchronized List<T> all() {
    return List.copyOf(samples);
  }
}
