/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

/**
 * The picker's numbers.
 *
 * @param minThreshold how many SSTables make a slow or mixed bucket eligible
 * @param hotMinThreshold how many make a bucket of hot SSTables eligible; 0 for what suits the
 *     node: 4 where there is a fast disk, since to look into one SSTable more costs little there,
 *     else 2
 * @param maxThreshold the most SSTables in one compaction
 * @param bucketLow an SSTable joins a bucket if larger than this times the bucket's mean size
 * @param bucketHigh and smaller than this times the mean size
 * @param minSSTableBytes slow SSTables below this size share one bucket
 * @param slowReadCostBytes how many bytes of sequential transfer one random slow read is worth; 0
 *     switches {@link Pick.Kind#PAID_FOR} and {@link Pick.Kind#PROMOTE} off
 * @param slowWritePrice how many bytes read from slow one byte written there is worth
 * @param promotes whether SSTables may be rewritten for their hot rows alone
 * @param fastDisk whether the node has one
 * @param mixesTiers whether slow and fast SSTables may be compacted together
 * @param completesSlow whether the slow disk is to have all rows
 */
public record PickerOptions(
    int minThreshold,
    int hotMinThreshold,
    int maxThreshold,
    double bucketLow,
    double bucketHigh,
    long minSSTableBytes,
    long slowReadCostBytes,
    double slowWritePrice,
    boolean promotes,
    boolean fastDisk,
    boolean mixesTiers,
    boolean completesSlow) {

  private static final int ON_FAST = 4;
  private static final int ON_ONE_DISK = 2;

  @Override
  public int hotMinThreshold() {
    return hotMinThreshold > 0 ? hotMinThreshold : fastDisk ? ON_FAST : ON_ONE_DISK;
  }

  /** The same for a node without fast disk: nothing can move up. */
  public PickerOptions withoutFastDisk() {
    return new PickerOptions(
        minThreshold,
        hotMinThreshold,
        maxThreshold,
        bucketLow,
        bucketHigh,
        minSSTableBytes,
        slowReadCostBytes,
        slowWritePrice,
        false,
        false,
        false,
        false);
  }

  /**
   * Whether waiting look-ups have cost as much slow-disk time as it takes to read and write so many
   * bytes. To wait until then and no longer costs at most twice what one would pay who knew the
   * reads to come (ski rental: Karlin, Manasse, Rudolph, Sleator 1988).
   */
  public boolean isPaidFor(long lookUps, long bytes) {
    return lookUps > 0
        && slowReadCostBytes > 0
        && lookUps * (double) slowReadCostBytes >= (1 + slowWritePrice) * bytes;
  }

  /**
   * How many hot SSTables on slow make a bucket eligible: {@code hotMinThreshold}, but enough that
   * compaction comes to rest. One of them leaves at most a cold SSTable, a hot one and a layer on
   * fast behind, one of cold SSTables as much; both must lower one and the same weighted count of
   * SSTables.
   */
  int slowHotMinThreshold() {
    int restful = fastDisk ? (minThreshold >= 4 ? 3 : 4) : (minThreshold >= 3 ? 2 : 3);
    return Math.max(hotMinThreshold(), restful);
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
        slowReadCostBytes,
        slowWritePrice,
        promotes,
        fastDisk,
        mixesTiers,
        completesSlow);
  }
}
