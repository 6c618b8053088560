/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

/** One sample of a table's counters. Reads and moves are counted since the node started. */
public record TableSample(
    long atMillis,
    long memoryReads,
    long fastReads,
    long slowReads,
    long fastBytes,
    long promotedRows,
    long demotedRows) {

  /** The table now. */
  public static TableSample of(long nowMillis, ReadStats reads, MoveStats moves, long fastBytes) {
    return new TableSample(
        nowMillis,
        reads.memoryReads(),
        reads.fastReads.sum(),
        reads.slowReads.sum(),
        fastBytes,
        moves.promotedRows.getCount(),
        moves.demotedRows.getCount());
  }
}
