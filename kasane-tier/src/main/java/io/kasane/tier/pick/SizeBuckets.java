/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Groups SSTables of like size, as size-tiered compaction does. */
final class SizeBuckets {
  private SizeBuckets() {}

  static <T> List<List<Candidate<T>>> of(List<Candidate<T>> candidates, PickerOptions options) {
    List<Candidate<T>> bySize = new ArrayList<>(candidates);
    bySize.sort(Comparator.comparingLong(Candidate::bytes));
    List<List<Candidate<T>>> buckets = new ArrayList<>();
    List<Candidate<T>> bucket = List.of();
    double meanBytes = 0;
    for (Candidate<T> candidate : bySize) {
      long bytes = candidate.bytes();
      boolean alike =
          bytes > meanBytes * options.bucketLow() && bytes < meanBytes * options.bucketHigh();
      boolean bothSmall =
          bytes < options.minSSTableBytes() && meanBytes < options.minSSTableBytes();
      if (bucket.isEmpty() || !(alike || bothSmall)) {
        bucket = new ArrayList<>();
        buckets.add(bucket);
        meanBytes = 0;
      }
      meanBytes = (meanBytes * bucket.size() + bytes) / (bucket.size() + 1);
      bucket.add(candidate);
    }
    return buckets;
  }
}
