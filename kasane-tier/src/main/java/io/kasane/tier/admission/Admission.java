/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.admission;

import io.kasane.copies.control.CopyAdmission;
import io.kasane.copies.control.HitRatioMonitor;
import io.kasane.copies.promote.CopyableTables;
import io.kasane.copies.sstables.KeyIds;
import io.kasane.heat.hotset.HotSet;
import io.kasane.heat.hotset.Temperature;
import io.kasane.tier.options.TierOptions;
import io.kasane.tier.stats.ReadStats;
import org.apache.cassandra.db.DecoratedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which rows that a read found on slow are copied to fast. The policy {@code budget} fills the disk
 * with what is read most, whether that is worth it or not, so it is weighed here; the other
 * policies say themselves what is hot. Thread-safe; observes in one thread.
 */
public final class Admission {
  private static final Logger logger = LoggerFactory.getLogger(Admission.class);

  private final PromotionContext table;
  private final CopyAdmission rule = new CopyAdmission();

  public Admission(PromotionContext table) {
    this.table = table;
  }

  /** Called about once a second. */
  public void observe(long fastBytes, long slowBytes) {
    ReadStats reads = table.readStats();
    boolean fell =
        rule.observe(
            new CopyAdmission.Reads(
                reads.reads.sum(), reads.fastReads.sum(), reads.slowReads.sum()),
            new CopyAdmission.Bytes(fastBytes, slowBytes, table.room().limitBytes()),
            shareTellsOfHeat(fastBytes));
    if (fell) {
      HitRatioMonitor trend = rule.trend();
      logger.info(
          "{}: the share of reads that need no slow disk fell from {} to {} %, as when other rows"
              + " are read than before: what was counted before counts half",
          table.cfs(), Math.round(100 * trend.settledShare()), Math.round(100 * trend.share()));
      table.heat().tracker().halve();
      table.refreshHotSet();
    }
  }

  /** In mode {@code cache} it falls after each flush, too, until what was updated is copied. */
  private boolean shareTellsOfHeat(long fastBytes) {
    return isByBudget() && table.copiesRows() && !table.isCache() && fastBytes > 0;
  }

  public void setRoomForUnknown(boolean hasRoom) {
    rule.setRoomForUnknown(hasRoom);
  }

  /** Whether a row is to be copied that a read found on slow. */
  public boolean wants(DecoratedKey key) {
    if (!isByBudget()) {
      return belongsOnFast(key);
    }
    HotSet hot = table.heat().hotSet();
    long id = KeyIds.of(key);
    return rule.wants(hot.temperatureOf(id), heatOf(id), leastHeat(hot, id))
        && !table.isTooOldForFast(key);
  }

  /** Whether a row is hot, or hotter by now than one that is. */
  boolean belongsOnFast(DecoratedKey key) {
    HotSet hot = table.heat().hotSet();
    long id = KeyIds.of(key);
    return (hot.temperatureOf(id) == Temperature.HOT || heatOf(id) > leastHeat(hot, id))
        && !table.isTooOldForFast(key);
  }

  /**
   * Only in windows of time is what is flushed new, be it that updates come late; merges let go of
   * what still nobody has read.
   */
  boolean mayCopyUnread(DecoratedKey key) {
    return table.options().picker().windows().isPresent()
        && isByBudget()
        && copiesPay()
        && !table.isTooOldForFast(key);
  }

  private double heatOf(long id) {
    return table.heat().tracker().heatOf(id);
  }

  private double leastHeat(HotSet hot, long id) {
    return hot.leastHeat(table.heat().tracker().sizeOf(id));
  }

  /** What a user has listed is copied whatever it is read. */
  public boolean copiesPay() {
    return !isByBudget() || rule.pays();
  }

  /**
   * How much of what is flushed goes to fast though it is cold. Where rows are not worth copying,
   * room lies idle, and an update is small beside its row and saves a read the same look-up.
   */
  public long coldRoomBytes() {
    boolean isIdle = !copiesPay() && table.copiesRows();
    return isIdle && table.fast().exists() ? Math.max(0, table.room().ownSpareBytes()) : 0;
  }

  /**
   * How much may go to fast whatever its heat. Other policies say themselves what belongs there,
   * and a slow disk that is to be complete gets all rows anyway.
   */
  public long allRowsRoomBytes() {
    return mayTakeAllRows() ? table.room().ofAllRowsBytes() : 0;
  }

  /** The same of what lies on slow already. */
  public long slowRowsRoomBytes() {
    return mayTakeAllRows() ? table.room().ofSlowRowsBytes() : 0;
  }

  /** Only of a table whose rows are copied do those leave that nobody reads, once room is short. */
  private boolean mayTakeAllRows() {
    return isByBudget()
        && table.options().placement().isByHeat()
        && !table.isCache()
        && table.fast().exists()
        && mayCopy();
  }

  /**
   * Whether rows of this table may be copied, but for what an operator switches off for a while.
   */
  private boolean mayCopy() {
    return table.options().copiesRows() && CopyableTables.contain(table.cfs());
  }

  /** Whether rows of this table may be copied now. */
  public boolean mayCopyNow() {
    return table.fast().exists() && !table.cfs().isAutoCompactionDisabled() && mayCopy();
  }

  private boolean isByBudget() {
    return table.options().policy() == TierOptions.Policy.BUDGET;
  }
}
