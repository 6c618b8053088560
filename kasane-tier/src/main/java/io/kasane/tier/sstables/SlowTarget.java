/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.sstables;

/**
 * In which of two SSTables on slow a flush or compaction writes a row: the one of hot rows or the
 * one of cold rows.
 */
public enum SlowTarget {
  /** Among hot rows: those that find no room on fast, or no fast disk. */
  SLOW_HOT,
  /** Among cold rows. */
  SLOW_COLD
}
