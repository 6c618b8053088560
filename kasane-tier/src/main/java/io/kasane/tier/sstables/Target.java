/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

/** Among which rows of the slow disk a flush or compaction writes a row: an SSTable each. */
public enum Target {
  /** Among hot rows: those that find no room on fast, or no fast disk. */
  SLOW_HOT,
  /** Among cold rows. */
  SLOW_COLD
}
