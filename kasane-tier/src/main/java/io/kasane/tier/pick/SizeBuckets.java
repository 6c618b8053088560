/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Groups SSTables of like size, as size-tiered compaction does.
 *
 * @param low an SSTable joins a bucket if larger than this times the bucket's mean size
 * @param high and smaller than this times the mean size
 * @param smallBytes SSTables below this size share one bucket
 */
public record SizeBuckets(double low, double high, long smallBytes) {
  /** The same where small means below {@code bytes}, if that is less. */
  SizeBuckets smallBelow(long bytes) {
    return new SizeBuckets(low, high, Math.min(smallBytes, bytes));
  }

  <T> List<List<Candidate<T>>> of(List<Candidate<T>> candidates) {
    List<Candidate<T>> bySize = new ArrayList<>(candidates);
    bySize.sort(Comparator.comparingLong(Candidate::bytes));
    List<List<Candidate<T>>> buckets = new ArrayList<>();
    List<Candidate<T>> bucket = List.of();
    double meanBytes = 0;
    for (Candidate<T> candidate : bySize) {
      long bytes = candidate.bytes();
      boolean alike = bytes > meanBytes * low && bytes < meanBytes * high;
      boolean bothSmall = bytes < smallBytes && meanBytes < smallBytes;
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
