/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import io.kasane.heat.sim.Hits;
import io.kasane.heat.track.HeatTracker;

/**
 * What a policy made of a source and a budget; shares are 0 to 1.
 *
 * @param keys that the source accesses
 * @param budgetShare keys that may be hot, as a share of {@code keys}
 * @param hotKeysShare keys that were hot, as a share of {@code keys}, mean of all choices
 * @param hitShare accesses that fell on keys that were hot at that time, as a share of all
 * @param onlineShare the same with exact, unaged counts
 * @param clairvoyantShare the same with the best set of each phase, known beforehand
 * @param ratio {@code hitShare} / {@code onlineShare}; null if the latter is 0
 * @param trackedKeys in the tracker at the end
 * @param capacityKeys most keys it may track
 * @param bytesPerKey bytes of heap the tracker says it holds, per tracked key
 * @param shifts whether the hot set changed completely, at once, at half time
 * @param accessesToAdapt to that, see {@link Adaptation}; null if there was no shift, or not enough
 *     accesses after it
 * @param onlineAccessesToAdapt the same with exact, unaged counts
 */
record HeatResult(
    String source,
    int accesses,
    int keys,
    String policy,
    double budgetShare,
    int budgetKeys,
    double hotKeysShare,
    double hitShare,
    double onlineShare,
    double clairvoyantShare,
    Double ratio,
    long trackedKeys,
    int capacityKeys,
    double bytesPerKey,
    boolean shifts,
    Integer accessesToAdapt,
    Integer onlineAccessesToAdapt) {

  static HeatResult of(HeatCell cell, TrackedPolicy policy, Hits hits, HeatTracker tracker) {
    double online = cell.online().share();
    int keys = cell.trace().distinctKeys();
    return new HeatResult(
        cell.source().name(),
        cell.trace().length(),
        keys,
        policy.label(),
        cell.budgetShare(),
        cell.budgetKeys(),
        hits.meanHotKeys() / keys,
        hits.share(),
        online,
        cell.clairvoyant().share(),
        online > 0 ? hits.share() / online : null,
        tracker.trackedKeys(),
        tracker.capacityKeys(),
        tracker.memoryBytes() / (double) tracker.trackedKeys(),
        cell.source().shifts(),
        toAdapt(cell, hits),
        toAdapt(cell, cell.online()));
  }

  private static Integer toAdapt(HeatCell cell, Hits hits) {
    return cell.source().shifts()
        ? Adaptation.accesses(hits, cell.trace().beginOf(1, 2), cell.chooseEvery())
        : null;
  }
}
