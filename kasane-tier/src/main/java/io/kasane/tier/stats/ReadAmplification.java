/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

import java.util.Arrays;

/**
 * Which look-ups of one read a merge would have saved. Of the SSTables that a read looks into,
 * sorted by size, each but the largest could have been part of the next larger one; if its look-up
 * waited for the disk, it was wasted, and is counted for that next larger one. So the sum over the
 * m smallest SSTables is what merging these m would have saved.
 *
 * <p>Nothing tells the end of a read: the counts are right after each look-up. Used by one thread
 * at a time.
 */
final class ReadAmplification {
  private ReadStats.PerSSTable[] bySize = new ReadStats.PerSSTable[2];
  private boolean[] waited = new boolean[2];
  private int count;

  /** The read has looked into one SSTable more, and waited for the disk or not. */
  void add(ReadStats.PerSSTable sstable, boolean hasWaited) {
    if (count == bySize.length) {
      bySize = Arrays.copyOf(bySize, 2 * count);
      waited = Arrays.copyOf(waited, 2 * count);
    }
    int at = count++;
    for (; at > 0 && bySize[at - 1].bytes > sstable.bytes; at--) {
      bySize[at] = bySize[at - 1];
      waited[at] = waited[at - 1];
    }
    bySize[at] = sstable;
    waited[at] = hasWaited;
    boolean smallerWaited = at > 0 && waited[at - 1];
    if (smallerWaited) {
      sstable.wastedLookUps.increment();
    }
    if (at + 1 < count && smallerWaited != hasWaited) {
      bySize[at + 1].wastedLookUps.add(hasWaited ? 1 : -1);
    }
  }
}
