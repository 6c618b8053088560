/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import io.kasane.copies.sstables.RowBounds;
import io.kasane.tier.quota.FastDiskException;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/** Hot rows go to fast where they find room, and others where room lies idle. */
final class FlushByHeat implements FlushMethod {
  private final PlacementRun placement;
  private final FlushSlowOutput slow;
  private final FlushFastOutput fast;
  private boolean refusedHot;

  FlushByHeat(PlacementRun placement, FlushSlowOutput slow, FlushFastOutput fast) {
    this.placement = placement;
    this.slow = slow;
    this.fast = fast;
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    DecoratedKey key = partition.partitionKey();
    boolean isHot = placement.isHot(key);
    if (!isHot && (fast.coldRoomBytes() <= 0 || !placement.mayFillIdleRoom(key))) {
      slow.writeCold(partition);
      return;
    }
    ImmutableBTreePartition whole = ImmutableBTreePartition.create(partition);
    boolean admitted =
        !fast.hasFailed() && (isHot ? admitsHot(key, whole) : admitsCold(key, whole));
    if (admitted && isWrittenToFast(whole, isHot)) {
      return;
    }
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      if (isHot) {
        slow.writeWithoutRoom(rows);
      } else {
        slow.writeCold(rows);
      }
    }
  }

  private boolean admitsHot(DecoratedKey key, ImmutableBTreePartition whole) {
    boolean admitted = fast.admits(key, RowBounds.onDiskBytes(whole));
    if (!admitted) {
      refusedHot = true;
      placement.refusedByQuota();
    }
    return admitted;
  }

  private boolean admitsCold(DecoratedKey key, ImmutableBTreePartition whole) {
    long boundBytes = RowBounds.onDiskBytes(whole);
    if (boundBytes > fast.coldRoomBytes()) {
      return false;
    }
    boolean admitted = fast.admits(key, boundBytes);
    if (!admitted) {
      fast.endColdRoom();
    }
    return admitted;
  }

  private boolean isWrittenToFast(ImmutableBTreePartition whole, boolean isHot) {
    try (UnfilteredRowIterator rows = whole.unfilteredIterator()) {
      long bytes = fast.append(rows);
      if (!isHot) {
        fast.filledWithCold(bytes);
      }
      return true;
    } catch (FastDiskException e) {
      fast.takeBack();
      return false;
    }
  }

  @Override
  public long hotBytes() {
    return fast.hotBytes();
  }

  @Override
  public boolean hasRefusedHot() {
    return refusedHot;
  }
}
