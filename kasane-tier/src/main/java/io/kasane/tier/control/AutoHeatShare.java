/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.control;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Computes the share k of all accesses that the hot rows are to receive (heat_share: auto) from
 * costs and savings. Cost: a flush that sorts by heat writes one more SSTable, and hot SSTables are
 * merged about twice as often, about forty disk requests for each flush. What may be saved is a
 * third or so of the look-ups that wait for the disk in SSTables that could be merged. So k is 0
 * until a flush has been seen and while no more than {@value #FEW} look-ups wait between two
 * flushes, and rises to {@value #MAX_SHARE} where {@value #MANY} do. Thread-safe.
 *
 * <p>Kawanami, Kawashima and Matsuo left open how k should follow the page cache: theirs was worse
 * than stock where hot SSTables lay in it.
 */
public final class AutoHeatShare implements DoubleSupplier {
  /** Half of all accesses: the rows that get the others differ little in heat. */
  private static final double MAX_SHARE = 0.5;

  /** Saving a third of them is less than the forty requests that sorting costs a flush. */
  private static final double FEW = 100;

  /** Saving a third of them is more than twice that. */
  private static final double MANY = 300;

  private final Supplier<Waits> waits;
  private Waits before = new Waits(0, 0);
  private double waitsPerFlush;

  /**
   * Counted since the node started.
   *
   * @param flushes of the table
   * @param waited look-ups that waited for a disk
   */
  public record Waits(long flushes, long waited) {}

  public AutoHeatShare(Supplier<Waits> waits) {
    this.waits = waits;
  }

  @Override
  public synchronized double getAsDouble() {
    Waits now = waits.get();
    long flushes = now.flushes() - before.flushes();
    if (flushes > 0) {
      waitsPerFlush = (now.waited() - before.waited()) / (double) flushes;
      before = now;
    }
    return MAX_SHARE * Math.max(0, Math.min(1, (waitsPerFlush - FEW) / (MANY - FEW)));
  }
}
