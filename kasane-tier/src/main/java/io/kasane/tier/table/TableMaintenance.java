/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.table;

import io.kasane.copies.sstables.Descriptors;
import io.kasane.copies.sstables.Tier;
import io.kasane.heat.hotset.Temperature;
import io.kasane.tier.control.WindowAging;
import io.kasane.tier.pick.TimeWindows;
import io.kasane.tier.stats.TableSample;
import java.util.Optional;
import java.util.Set;
import org.apache.cassandra.io.sstable.Descriptor;

/** What a table needs from time to time. Used by one thread. */
final class TableMaintenance {
  private final TieredTable table;
  private final WindowAging aging = new WindowAging();
  private long savedAtMillis;

  TableMaintenance(TieredTable table) {
    this.table = table;
  }

  /** Called about once a second. */
  void step(long nowMillis) {
    table.heat().advance();
    long fastBytes = table.disks().liveBytes(Tier.FAST);
    table.admission().observe(fastBytes, table.disks().liveBytes(Tier.SLOW));
    table.promoter().observe();
    table.room().resizeIfGrown(0);
    table.history().add(TableSample.of(nowMillis, table.readStats(), table.moves(), fastBytes));
    if (nowMillis - savedAtMillis >= table.options().tracker().periodMillis()) {
      savedAtMillis = nowMillis;
      Set<Descriptor> live = Set.copyOf(Descriptors.of(table.cfs().getLiveSSTables()));
      table.readStats().retain(live);
      table
          .readStats()
          .setLargest(table.disks().largest().map(sstable -> sstable.descriptor).orElse(null));
      table
          .skippable()
          .retain(live, id -> table.heat().hotSet().temperatureOf(id) == Temperature.HOT);
      table.room().resize();
      table.heat().save();
    }
    if (isToBeHalved(nowMillis)) {
      table.heat().tracker().halve();
      table.refreshHotSet();
    } else if (table.heat().isRefreshDue()) {
      table.refreshHotSet();
    } else {
      table.lookForRoom(table.heat().hotSet());
    }
  }

  private boolean isToBeHalved(long nowMillis) {
    Optional<TimeWindows> windows = table.options().picker().windows();
    return windows.isPresent()
        && aging.isDue(
            nowMillis,
            windows.get().sizeMillis(),
            table.readStats().reads.sum(),
            table.heat().hotSet().hotKeys());
  }
}
