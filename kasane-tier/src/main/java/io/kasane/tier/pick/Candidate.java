/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.pick;

import io.kasane.copies.sstables.Tier;

/**
 * What the picker knows of an SSTable that it may choose.
 *
 * @param table the SSTable itself
 * @param tier where it lies
 * @param hot whether it was written for hot rows; every fast one is
 * @param copy whether all its rows lie in SSTables that are no copies, too
 * @param shard for a fast SSTable the token range that it belongs to; 0 for a slow one
 * @param bytes on disk
 * @param keys about how many partitions it holds
 * @param reads how often a read looked into it
 * @param misplacedReads how often such a read wanted a key that is hot but still lies on slow
 * @param wastedLookUps how many waiting look-ups in smaller SSTables a merge with the next smaller
 *     one would have saved
 * @param windowMillis where the window of time begins that it is of; 0 of a table without
 * @param open whether that window is still written, as the only one of a table without is
 */
public record Candidate<T>(
    T table,
    Tier tier,
    boolean hot,
    boolean copy,
    int shard,
    long bytes,
    long keys,
    long reads,
    long misplacedReads,
    long wastedLookUps,
    long windowMillis,
    boolean open) {

  /** Of a table without windows. */
  public Candidate(
      T table,
      Tier tier,
      boolean hot,
      boolean copy,
      int shard,
      long bytes,
      long keys,
      long reads,
      long misplacedReads,
      long wastedLookUps) {
    this(table, tier, hot, copy, shard, bytes, keys, reads, misplacedReads, wastedLookUps, 0, true);
  }

  /** The same in a window of time. */
  public Candidate<T> inWindow(long startMillis, boolean isOpen) {
    return new Candidate<>(
        table,
        tier,
        hot,
        copy,
        shard,
        bytes,
        keys,
        reads,
        misplacedReads,
        wastedLookUps,
        startMillis,
        isOpen);
  }
}
