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
  PROTOCOL_TIMESTAMPS
}
