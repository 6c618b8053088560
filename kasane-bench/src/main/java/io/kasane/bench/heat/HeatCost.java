/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.bench.heat;

import java.util.List;
import java.util.Locale;

/**
 * What the heat of so many keys costs, and how good its hot sets are.
 *
 * @param keys that are accessed
 * @param zipf how skewed the accesses are
 * @param trackedKeys that the tracker knows after four accesses a key in the mean
 * @param bytesPerKey outside the heap, of each tracked key
 * @param heapBytes that the tracker takes on the heap, all in all
 * @param accessNanos time of an access, one thread
 * @param twoThreadsNanos the same of each of two threads
 * @param ceilingNanos time of a compare-and-set and a write at a random place of as much memory
 * @param lostShare of accesses that were not counted, two threads
 * @param advanceMillis the longest of some calls a second
 * @param hotSetMillis to look at all and draw a hot set
 * @param saveMillis to save all
 * @param fileBytes of what is saved
 * @param loadMillis to restore all
 * @param hits1 share of the hits that exact, unaged counts have, where a hundredth of the keys is
 *     hot
 * @param hits5 the same of a twentieth
 * @param hits10 the same of a tenth
 */
record HeatCost(
    int keys,
    double zipf,
    long trackedKeys,
    double bytesPerKey,
    long heapBytes,
    double accessNanos,
    double twoThreadsNanos,
    double ceilingNanos,
    double lostShare,
    double advanceMillis,
    double hotSetMillis,
    double saveMillis,
    long fileBytes,
    double loadMillis,
    double hits1,
    double hits5,
    double hits10) {

  private static final String HEAD =
      """
      | keys | zipf | tracked | bytes a key | heap | ns an access | 2 threads | ceiling | lost | advance, ms | hot set, ms | save, ms | file | load, ms | hits, fast 1 % | 5 % | 10 % |
      |-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|-|
      """;

  static String table(List<HeatCost> costs) {
    StringBuilder table = new StringBuilder(HEAD);
    for (HeatCost cost : costs) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %,d | %.2f | %,d | %.1f | %,d KB | %.0f | %.0f | %.0f | %.4f %% | %.1f | %.1f | %,.0f | %,d MB | %,.0f | %.3f | %.3f | %.3f |%n",
              cost.keys,
              cost.zipf,
              cost.trackedKeys,
              cost.bytesPerKey,
              cost.heapBytes / 1000,
              cost.accessNanos,
              cost.twoThreadsNanos,
              cost.ceilingNanos,
              100 * cost.lostShare,
              cost.advanceMillis,
              cost.hotSetMillis,
              cost.saveMillis,
              cost.fileBytes / 1_000_000,
              cost.loadMillis,
              cost.hits1,
              cost.hits5,
              cost.hits10));
    }
    return table.toString();
  }
}
