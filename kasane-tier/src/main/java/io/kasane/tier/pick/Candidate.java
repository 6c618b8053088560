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
    long wastedLookUps) {}
