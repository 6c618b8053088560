/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.backfill;

/**
 * What a backfill, or its verification, met. A page that was gone through again, after a failure,
 * counts once; one that two processes went through may count twice.
 *
 * @param rows rows of the source that were read
 * @param seeds what the row function made of them
 * @param written how many of these were written, the others having a newer version or the same
 *     value; of a verification 0
 * @param missing of a verification: how many of these have no value in the target, and no deletion
 * @param expiring rows of the source that had a TTL; what was made of them has none
 */
public record BackfillCounts(long rows, long seeds, long written, long missing, long expiring) {
  static final BackfillCounts NONE = new BackfillCounts(0, 0, 0, 0, 0);

  BackfillCounts plus(BackfillCounts more) {
    return new BackfillCounts(
        rows + more.rows,
        seeds + more.seeds,
        written + more.written,
        missing + more.missing,
        expiring + more.expiring);
  }

  /** With another {@link #missing}. */
  BackfillCounts withMissing(long missing) {
    return new BackfillCounts(rows, seeds, written, missing, expiring);
  }
}
