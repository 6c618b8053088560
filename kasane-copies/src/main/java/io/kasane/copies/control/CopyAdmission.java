/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.copies.control;

import io.kasane.heat.hotset.Temperature;

/**
 * Whether a row that a read found on slow is worth a copy, where the policy fills fast with what is
 * read most. A hot row is, as long as copies pay at all ({@link CopyBenefit}). Any other takes the
 * place of one on fast, and both are written once more: it is compared with the coldest of these
 * (as TinyLFU does: Einziger, Friedman, Manes, ACM TOS 2017).
 *
 * <p>While fast does not hold what is read now, a row must be hotter by a read; once the share that
 * fast serves has settled ({@link HitRatioMonitor}), by more than chance; where copies do not pay,
 * by clearly more.
 *
 * <p>Observed by one thread, asked by all.
 */
public final class CopyAdmission {
  /** As much as the policy wants of a key that is to take the place of a hot one. */
  private static final double DEVIATIONS_ONCE_SETTLED = 1;

  /** One row in forty that is no hotter would pass by chance: few of what reads find. */
  private static final double DEVIATIONS_WHERE_COPIES_DO_NOT_PAY = 2;

  /**
   * Once heat was halved, less would let in each row at its first read, only to be dropped soon.
   */
  private static final double ONE_READ = 1;

  private final CopyBenefit copyBenefit = new CopyBenefit();
  private final HitRatioMonitor trend = new HitRatioMonitor();
  private volatile boolean roomForUnknown;
  private volatile boolean settled;

  /**
   * Reads so far.
   *
   * @param all those that memory answers included
   * @param fast that fast served
   * @param slow that needed slow
   */
  public record Reads(long all, long fast, long slow) {}

  /**
   * Bytes of the table.
   *
   * @param fast on fast
   * @param slow on slow
   * @param quota that may lie on fast
   */
  public record Bytes(long fast, long slow, long quota) {}

  /**
   * Takes note of what was read; to be called about once a second.
   *
   * @param shareTellsOfHeat whether a fall of the share that fast serves says that other rows are
   *     read now
   * @return whether it fell
   */
  public boolean observe(Reads reads, Bytes bytes, boolean shareTellsOfHeat) {
    copyBenefit.observe(reads.fast, reads.slow, bytes.fast, bytes.slow, bytes.quota);
    boolean fell = shareTellsOfHeat && trend.observe(reads.all, reads.slow);
    settled = shareTellsOfHeat && trend.hasSettled();
    return fell;
  }

  public HitRatioMonitor trend() {
    return trend;
  }

  /** Whether rows of unknown heat find room on fast. */
  public void setRoomForUnknown(boolean hasRoom) {
    roomForUnknown = hasRoom;
  }

  /** See {@link CopyBenefit#pays}. */
  public boolean pays() {
    return copyBenefit.pays();
  }

  /**
   * Whether a row is to be copied.
   *
   * @param heat of the row, in accesses
   * @param leastHeat that a row of its size needs to be hot, in accesses
   */
  public boolean wants(Temperature temperature, double heat, double leastHeat) {
    if (!pays()) {
      return heat > above(leastHeat, DEVIATIONS_WHERE_COPIES_DO_NOT_PAY);
    }
    boolean belongsOnFast =
        temperature == Temperature.HOT || (roomForUnknown && temperature == Temperature.UNKNOWN);
    return belongsOnFast
        || (settled
            ? heat > above(leastHeat, DEVIATIONS_ONCE_SETTLED)
            : heat >= leastHeat + ONE_READ);
  }

  /** So many standard deviations of a count more. */
  static double above(double count, double deviations) {
    return count + deviations * Math.sqrt(Math.max(1, count));
  }
}
