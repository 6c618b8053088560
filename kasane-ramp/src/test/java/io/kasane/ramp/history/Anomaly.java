/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.ramp.history;

/** What no history of Read Atomic transactions with session guarantees shows. */
public enum Anomaly {
  /** A transaction saw one write of another, and missed one, or saw what that had replaced. */
  FRACTURED,
  /** A transaction saw two versions of one key. */
  UNREPEATABLE,
  /** A session saw an older version than before. */
  NOT_MONOTONIC,
  /** A session did not see what it wrote itself. */
  OWN_WRITE_MISSED,
  /** A session's put lies below what the session had seen of the key: it never sees it. */
  WRITE_BEHIND_READ,
  /** What was read is of a transaction that failed. */
  ABORTED,
  /** One transaction was seen with two timestamps. */
  INTERMEDIATE,
  /** What was read nobody wrote. */
  THIN_AIR,
  /** When all was at rest, a key showed less than what had been acknowledged. */
  LOST,
  /** A put that began after another was acknowledged was acknowledged, too, and lies below it. */
  BEATEN
}
