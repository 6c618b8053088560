/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.protocol;

/**
 * The rules that make the protocol read atomic. A client keeps all of them; only a test that wants
 * to see a rule's absence noticed makes a client without one, by a constructor of this package.
 */
public enum Rule {
  /** I1: nobody commits before the whole transaction is prepared at a quorum. */
  PREPARE_BEFORE_COMMIT,
  /** I2: what is demanded is looked for at a quorum. */
  SECOND_ROUND_AT_QUORUM,
  /** I3: versions are collected only when the window of the readers that need them is over. */
  COLLECT_AFTER_WINDOW,
  /** I3: only a version whose commit was acknowledged collects those below it. */
  COLLECT_ONLY_COMMITTED,
  /** I4: a failed put is repeated with the same timestamp and bytes. */
  RETRY_SAME_TIMESTAMP,
  /** I7: nothing is committed when it is older than the grace. */
  COMMIT_WITHIN_GRACE,
  /** I7: what is prepared is dropped only when nobody commits it any more. */
  DROP_AFTER_GRACE,
  /** I6: a put's timestamp is above what was committed before it. */
  CHECK_MARKERS,
  /** A newer version taken for an overwritten one is itself checked for what it demands. */
  CHECK_AGAIN_AFTER_NEWER_MARKER,
  /** A certain demand that a quorum cannot meet is looked for at all replicas. */
  ESCALATE_TO_ALL,
  /** A session never reads below what it saw or wrote. */
  FLOORS,
  /** The clock is ahead of every version seen. */
  MERGE_CLOCK
}
