/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The share k of all accesses that hot rows receive, by how many look-ups in SSTables that could be
 * merged wait for a disk: to merge what lies in memory saves no disk read, but costs as much as any
 * compaction. k is 0 until that is known and while no more than {@value #FEW} of the look-ups wait,
 * and rises to {@value #MOST} where {@value #MANY} do. Thread-safe.
 *
 * <p>Kawanami, Kawashima and Matsuo left open how k should follow the page cache: theirs was worse
 * than stock where hot SSTables lay in it.
 */
final class MeasuredShare implements DoubleSupplier {
  private static final double MOST = 0.5;
  private static final double FEW = 0.10;
  private static final double MANY = 0.30;
  private static final long ENOUGH = 500;

  private final Supplier<LookUps> lookUps;
  private LookUps before = new LookUps(0, 0);
  private double waitedShare;

  /**
   * Look-ups since the node started.
   *
   * @param all of them
   * @param waited those that waited for a disk
   */
  record LookUps(long all, long waited) {}

  MeasuredShare(Supplier<LookUps> lookUps) {
    this.lookUps = lookUps;
  }

  @Override
  public synchronized double getAsDouble() {
    LookUps now = lookUps.get();
    long all = now.all() - before.all();
    if (all >= ENOUGH) {
      waitedShare = (now.waited() - before.waited()) / (double) all;
      before = now;
    }
    return MOST * Math.max(0, Math.min(1, (waitedShare - FEW) / (MANY - FEW)));
  }
}
