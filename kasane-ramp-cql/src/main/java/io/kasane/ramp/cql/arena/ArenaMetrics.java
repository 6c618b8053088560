/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.cql.arena;

import java.util.concurrent.atomic.LongAdder;

/** How keys of first rounds were read, since the session was opened. Thread-safe. */
public final class ArenaMetrics {
  final LongAdder hits = new LongAdder();
  final LongAdder oneSided = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder torn = new LongAdder();
  final LongAdder silent = new LongAdder();
  final LongAdder corrupt = new LongAdder();
  final LongAdder withoutArena = new LongAdder();
  final LongAdder items = new LongAdder();
  final LongAdder repeated = new LongAdder();

  ArenaMetrics() {}

  /** How many keys an arena answered. */
  public long hits() {
    return hits.sum();
  }

  /** How many of the hits this process has read out of the memory of another host, by itself. */
  public long oneSided() {
    return oneSided.sum();
  }

  /** How many had no slot; they were read by CQL, as all that follow. */
  public long misses() {
    return misses.sum();
  }

  /** How many had a slot that was written all the time, or is damaged. */
  public long torn() {
    return torn.sum();
  }

  /** How many were of an arena whose node is silent, starts, or has ended. */
  public long silent() {
    return silent.sum();
  }

  /** How many had bytes in their slot that are no version. */
  public long corrupt() {
    return corrupt.sum();
  }

  /** How many were of tables without an arena. */
  public long withoutArena() {
    return withoutArena.sum();
  }

  /** How many were items of collections, which are in no arena. */
  public long items() {
    return items.sum();
  }

  /** How many hits were read at a quorum besides, so that replicas are repaired. */
  public long repeated() {
    return repeated.sum();
  }
}
