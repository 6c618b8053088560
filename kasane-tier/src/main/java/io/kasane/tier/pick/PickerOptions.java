/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/**
 * The picker's numbers.
 *
 * @param minThreshold how many SSTables make a slow or mixed bucket eligible
 * @param hotMinThreshold how many make a fast-only bucket eligible
 * @param maxThreshold the most SSTables in one compaction
 * @param bucketLow an SSTable joins a bucket if larger than this times the bucket's mean size
 * @param bucketHigh and smaller than this times the mean size
 * @param minSSTableBytes slow SSTables below this size share one bucket
 * @param slowReadCostBytes how many bytes of sequential transfer one random slow read is worth; 0
 *     switches {@link Pick.Kind#PROMOTE} off
 */
public record PickerOptions(
    int minThreshold,
    int hotMinThreshold,
    int maxThreshold,
    double bucketLow,
    double bucketHigh,
    long minSSTableBytes,
    long slowReadCostBytes) {

  /** The same without rewriting SSTables for their hot rows. */
  public PickerOptions withoutPromotion() {
    return new PickerOptions(
        minThreshold, hotMinThreshold, maxThreshold, bucketLow, bucketHigh, minSSTableBytes, 0);
  }

  /** The same where small means below {@code bytes}. */
  PickerOptions withMinSSTableBytes(long bytes) {
    return new PickerOptions(
        minThreshold,
        hotMinThreshold,
        maxThreshold,
        bucketLow,
        bucketHigh,
        bytes,
        slowReadCostBytes);
  }
}
