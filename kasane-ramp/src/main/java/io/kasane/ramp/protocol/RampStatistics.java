/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

import java.util.concurrent.atomic.LongAdder;

/** What a client did since it was made. Counts only grow, but for what waits. Thread-safe. */
public final class RampStatistics {
  final LongAdder gets = new LongAdder();
  final LongAdder rounds = new LongAdder();
  final LongAdder secondRounds = new LongAdder();
  final LongAdder loops = new LongAdder();
  final LongAdder readsAtAll = new LongAdder();
  final LongAdder falsePositives = new LongAdder();
  final LongAdder completions = new LongAdder();
  final LongAdder repairs = new LongAdder();
  final LongAdder restarts = new LongAdder();
  final LongAdder puts = new LongAdder();
  final LongAdder reprepared = new LongAdder();
  final LongAdder collected = new LongAdder();
  final LongAdder collectionsFailed = new LongAdder();
  final LongAdder collectionsDropped = new LongAdder();
  final LongAdder versionsKept = new LongAdder();
  final LongAdder purged = new LongAdder();
  final LongAdder sweeps = new LongAdder();
  final LongAdder purgesDropped = new LongAdder();
  final LongAdder floorsSettled = new LongAdder();

  RampStatistics() {}

  /** How many: gets begun, those of read transactions included. */
  public long gets() {
    return gets.sum();
  }

  /** How many: times that gets asked the store. */
  public long rounds() {
    return rounds.sum();
  }

  /** How many: gets that needed more than one round. */
  public long secondRounds() {
    return secondRounds.sum();
  }

  /** How many: times that a newer version was taken and all keys were checked again. */
  public long loops() {
    return loops.sum();
  }

  /** How many: keys that were looked for at all replicas. */
  public long readsAtAll() {
    return readsAtAll.sum();
  }

  /**
   * How many: times that a key was looked for in vain because a filter or a version without
   * siblings might have named it.
   */
  public long falsePositives() {
    return falsePositives.sum();
  }

  /** How many: commits sent for a writer that had not. */
  public long completions() {
    return completions.sum();
  }

  /** How many: versions prepared again because a quorum did not have them. */
  public long repairs() {
    return repairs.sum();
  }

  /** How many: times that a read transaction was run again. */
  public long restarts() {
    return restarts.sum();
  }

  /** How many: puts begun. */
  public long puts() {
    return puts.sum();
  }

  /** How many: puts prepared again because a newer version was there. */
  public long reprepared() {
    return reprepared.sum();
  }

  /** How many: collections done. */
  public long collected() {
    return collected.sum();
  }

  /** How many: collections that failed; most are tried again. */
  public long collectionsFailed() {
    return collectionsFailed.sum();
  }

  /** How many: collections given up for lack of memory; the next write of the key does them. */
  public long collectionsDropped() {
    return collectionsDropped.sum();
  }

  /** How many: versions that this client committed and that wait to be collected. */
  public long versionsKept() {
    return versionsKept.sum();
  }

  /** How many: deleted keys forgotten. */
  public long purged() {
    return purged.sum();
  }

  /** How many: collections out of which deletions were swept. */
  public long sweeps() {
    return sweeps.sum();
  }

  /** How many: deleted keys not planned to be forgotten, for lack of memory. */
  public long purgesDropped() {
    return purgesDropped.sum();
  }

  /** How many: floors of sessions completed before they were forgotten. */
  public long floorsSettled() {
    return floorsSettled.sum();
  }
}
