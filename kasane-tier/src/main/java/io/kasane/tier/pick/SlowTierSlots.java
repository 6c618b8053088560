/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Keeps a compactor of the node for the fast disk. A merge of slow SSTables may take a day where
 * the table has terabytes. If all compactors were at such merges, flushes and copies would go on to
 * write SSTables to fast, a dozen a second, and none would be merged until one has ended.
 * Thread-safe.
 */
public final class SlowTierSlots {
  private final IntSupplier compactors;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * None runs.
   *
   * @param compactors how many compactions the node runs at once
   */
  public SlowTierSlots(IntSupplier compactors) {
    this.compactors = compactors;
  }

  /** Whether one more may begin. One may always run, where the node has a single compactor, too. */
  public boolean isFree() {
    return running.get() < Math.max(1, compactors.getAsInt() - 1);
  }

  void begins() {
    running.incrementAndGet();
  }

  void ends() {
    running.decrementAndGet();
  }
}
