/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier;

/** Where a flush or compaction writes a row: one SSTable a target and, on fast, a shard. */
enum Target {
  /** The fast disk, and nowhere else. */
  FAST,
  /** The fast disk; all that is written there lies in other SSTables too. */
  FAST_COPY,
  /** The slow disk, among hot rows: those that find no room on fast, or no fast disk. */
  SLOW_HOT,
  /** The slow disk, among cold rows. */
  SLOW_COLD;

  /** The disk that the target is on. */
  Tier tier() {
    return this == FAST || this == FAST_COPY ? Tier.FAST : Tier.SLOW;
  }
}
