/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.write;

import org.apache.cassandra.db.rows.UnfilteredRowIterator;

/** Without a fast disk: hot rows get an SSTable apart. */
final class FlushToSlow implements FlushMethod {
  private final PlacementRun placement;
  private final FlushSlowOutput slow;

  FlushToSlow(PlacementRun placement, FlushSlowOutput slow) {
    this.placement = placement;
    this.slow = slow;
  }

  @Override
  public void append(UnfilteredRowIterator partition) {
    if (placement.isHot(partition.partitionKey())) {
      slow.writeWithoutRoom(partition);
    } else {
      slow.writeCold(partition);
    }
  }
}
