/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.sim;

/** The rules that a store keeps, each of which a test may switch off to see it missed. */
enum StoreRule {
  /** I1: PREPARE is acknowledged by a quorum of replicas. */
  PREPARE_AT_QUORUM,
  /** COMMIT is acknowledged by a quorum of replicas. */
  COMMIT_AT_QUORUM,
  /** With several data centres, PREPARE and COMMIT are acknowledged by a quorum of each. */
  WRITE_AT_EACH_QUORUM,
  /** What a read of a quorum shows is at a quorum before it answers. */
  READ_REPAIR,
  /** I5: a deletion and what replaces it travel in one batch. */
  COLLECT_IN_ONE_BATCH,
  /** Cells are written at the microsecond of their version, not at that of their coordinator. */
  PROTOCOL_TIMESTAMPS,
  /** An arena is updated before anybody is told of the write. */
  ARENA_HEARS_BEFORE_ACKNOWLEDGEMENT,
  /** Of two versions the later one stays in a slot. */
  ARENA_KEEPS_NEWER,
  /** A write updates a slot and never makes one. */
  ARENA_UPDATE_NEVER_INSERTS,
  /** A fill is let through only if nothing was written since before it read. */
  ARENA_FILLS_BY_TICKET,
  /** A deletion of the committed row empties the slot. */
  ARENA_DELETION_EVICTS,
  /** What comes by a stream empties its slots. */
  ARENA_STREAM_EVICTS,
  /** No fill is let through while rows are taken away. */
  ARENA_CLOSED_WHILE_TRUNCATED,
  /** A node that starts begins with an empty arena. */
  ARENA_NEW_AT_START,
  /** A key without a slot is read by CQL. */
  ARENA_MISS_IS_NO_ABSENCE;

  boolean isOfArenas() {
    return name().startsWith("ARENA_");
  }
}
