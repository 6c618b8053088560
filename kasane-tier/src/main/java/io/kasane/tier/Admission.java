/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

import io.kasane.heat.HotSet;
import io.kasane.heat.Temperature;
import io.kasane.tier.promote.CopyYield;
import io.kasane.tier.promote.ShareTrend;
import org.apache.cassandra.db.DecoratedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which rows that a read found on slow are copied to fast. Thread-safe; observes in one thread. */
final class Admission {
  private static final Logger logger = LoggerFactory.getLogger(Admission.class);

  private final TableTiers table;
  private final ShareTrend trend = new ShareTrend();
  private final CopyYield yield = new CopyYield(trend::hasSettled);
  private volatile boolean hasRoomForUnknown;

  Admission(TableTiers table) {
    this.table = table;
  }

  /** Called about once a second. */
  void observe(long fastBytes, long slowBytes) {
    ReadStats reads = table.readStats();
    long slowReads = reads.slowReads.sum();
    yield.observe(reads.fastReads.sum(), slowReads, fastBytes, slowBytes, table.fastLimitBytes());
    if (trend.observe(reads.reads.sum(), slowReads) && isByBudget()) {
      logger.info(
          "{}: reads that need no slow disk became rarer ({} % a moment ago): other rows are read"
              + " now, and what was counted before counts half",
          table.cfs(), Math.round(100 * trend.settledShare()));
      table.tracker().halve();
    }
  }

  /** The hot set was chosen anew. */
  void hasRoomForUnknown(boolean hasRoom) {
    hasRoomForUnknown = hasRoom;
  }

  /** Whether a row is to be copied that a read found on slow. */
  boolean wants(DecoratedKey key) {
    Temperature temperature = table.hotSet().temperatureOf(KeyIds.of(key));
    boolean fits =
        temperature == Temperature.HOT
            || (hasRoomForUnknown && isByBudget() && temperature == Temperature.UNKNOWN);
    return (fits && copiesPay()) || outranksTheColdest(key);
  }

  /** Whether a row is hot, or hotter by now than one that is. */
  boolean belongsOnFast(DecoratedKey key) {
    return table.isHot(key) || outranksTheColdest(key);
  }

  private boolean outranksTheColdest(DecoratedKey key) {
    HotSet hot = table.hotSet();
    return yield.admits(table.tracker().heatOf(KeyIds.of(key)), hot.coldestHeat());
  }

  /** What a user has listed is copied whatever it is read. */
  boolean copiesPay() {
    return !isByBudget() || yield.pays();
  }

  private boolean isByBudget() {
    return table.options().policy() == TierOptions.Policy.BUDGET;
  }
}
