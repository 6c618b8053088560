/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.tier.quota.FastDiskException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/**
 * All rows of a small table go to fast, without a look at each row: that would double the cost of
 * the flush. Their total size is a safe upper bound for each row. Once there is no room for so
 * much, by heat.
 */
final class FlushAllToFast implements FlushMethod {
  private final FlushFastOutput fast;
  private final FlushByHeat byHeat;
  private final long boundBytes;
  private final int indexParts;
  private boolean fits = true;
  private boolean wroteUnseen;

  /**
   * Nothing is flushed yet.
   *
   * @param boundBytes of all rows on disk
   * @param indexParts how many times the data may be written again by indexes
   */
  FlushAllToFast(FlushFastOutput fast, FlushByHeat byHeat, long boundBytes, int indexParts) {
    this.fast = fast;
    this.byHeat = byHeat;
    this.boundBytes = boundBytes;
    this.indexParts = indexParts;
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    fits = fits && admits(key);
    if (!fits) {
      byHeat.append(partition);
      return;
    }
    try {
      long bytes = fast.append(partition);
      fast.filledWithCold(bytes);
      wroteUnseen |= bytes > 0;
    } catch (FastDiskException e) {
      fast.takeBackWith(key); // half of the partition may be read
    }
  }

  private boolean admits(DecoratedKey key) {
    return !fast.hasFailed()
        && (1 + indexParts) * boundBytes <= fast.coldRoomBytes()
        && fast.admits(key, boundBytes);
  }

  @Override
  public long hotBytes() {
    return wroteUnseen ? 0 : byHeat.hotBytes();
  }

  @Override
  public boolean hasRefusedHot() {
    return byHeat.hasRefusedHot();
  }
}
