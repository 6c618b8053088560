/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.promote.Promoter;
import io.kasane.copies.sstables.Descriptors;
import io.kasane.tier.admission.PromotionContext;
import io.kasane.tier.hot.TableHeat;
import java.util.Set;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.notifications.INotification;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.notifications.SSTableListChangedNotification;
import org.apache.cassandra.notifications.TruncationNotification;

/** What follows when the SSTables of a table change. For Cassandra's threads. */
final class TableEvents implements INotificationConsumer {
  private final PromotionContext table;
  private final TableHeat heat;
  private final Promoter promoter;
  private final KeyCacheSweep<?, Descriptor> stalePositions;

  TableEvents(
      PromotionContext table, Promoter promoter, KeyCacheSweep<?, Descriptor> stalePositions) {
    this.table = table;
    this.heat = table.heat();
    this.promoter = promoter;
    this.stalePositions = stalePositions;
  }

  @Override
  public void handleNotification(INotification notification, Object sender) {
    if (notification instanceof TruncationNotification) {
      heat.clear();
    } else if (notification instanceof SSTableListChangedNotification changed) {
      noteReplaced(changed);
    } else if (notification instanceof SSTableAddedNotification live
        && live.memtable().isPresent()
        && table.isCache()
        && table.copiesRows()) {
      live.added.forEach(flushed -> promoter.flushed(flushed.descriptor));
    }
  }

  /** Not what only has other summaries in memory now. */
  private void noteReplaced(SSTableListChangedNotification changed) {
    Set<Descriptor> stay = Set.copyOf(Descriptors.of(changed.added));
    changed.removed.stream()
        .filter(sstable -> !stay.contains(sstable.descriptor))
        .forEach(sstable -> stalePositions.replaced(sstable.descriptor, sstable.estimatedKeys()));
  }
}
