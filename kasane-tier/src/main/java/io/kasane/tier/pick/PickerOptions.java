/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import java.util.Optional;

/** What a table's options and its node mean for the picker. */
public record PickerOptions(
    Thresholds thresholds,
    SizeBuckets sizes,
    SlowDiskPrice price,
    Moves moves,
    Optional<TimeWindows> windows) {
  private static final int HOT_ON_FAST = 4; // as stock: fast disks bear look-ups

  /** Each one more is a request to a slow disk. */
  private static final int HOT_ON_ONE_DISK = 2;

  /**
   * How many SSTables are merged.
   *
   * @param min how many make a slow or mixed bucket eligible
   * @param hotMin how many make a bucket of hot SSTables eligible; 0 for what suits the node
   * @param max the most in one compaction
   */
  public record Thresholds(int min, int hotMin, int max) {}

  /**
   * What may move between the disks.
   *
   * @param fastDisk whether the node has a fast one
   * @param promotes whether SSTables may be rewritten for their hot rows alone
   * @param mixesTiers whether slow and fast SSTables may be compacted together
   * @param completesSlow whether the slow disk is to have all rows
   */
  public record Moves(
      boolean fastDisk, boolean promotes, boolean mixesTiers, boolean completesSlow) {
    /** Nothing can move up. */
    public static final Moves ON_ONE_DISK = new Moves(false, false, false, false);
  }

  /** Without windows of time. */
  public PickerOptions(Thresholds thresholds, SizeBuckets sizes, SlowDiskPrice price, Moves moves) {
    this(thresholds, sizes, price, moves, Optional.empty());
  }

  /** The same for a node without fast disk. */
  public PickerOptions withoutFastDisk() {
    return new PickerOptions(thresholds, sizes, price, Moves.ON_ONE_DISK, windows);
  }

  /** On fast to look into one SSTable more costs little. */
  public int hotMinThreshold() {
    int suits = moves.fastDisk ? HOT_ON_FAST : HOT_ON_ONE_DISK;
    return thresholds.hotMin > 0 ? thresholds.hotMin : suits;
  }

  /**
   * How many hot SSTables on slow make a bucket eligible: {@link #hotMinThreshold}, but enough that
   * compaction comes to rest. One of them leaves at most a cold SSTable, a hot one and a layer on
   * fast behind, one of cold SSTables as much; both must lower one and the same weighted count of
   * SSTables.
   */
  int slowHotMinThreshold() {
    int min = thresholds.min;
    int restful = moves.fastDisk ? (min >= 4 ? 3 : 4) : (min >= 3 ? 2 : 3);
    return Math.max(hotMinThreshold(), restful);
  }
}
