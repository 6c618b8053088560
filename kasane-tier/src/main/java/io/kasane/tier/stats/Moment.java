/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.tier.stats;

/** A table at a moment; reads and moves count since the node started. */
public record Moment(
    long atMillis,
    long memoryReads,
    long fastReads,
    long slowReads,
    long fastBytes,
    long promotedRows,
    long demotedRows) {

  /** The table now. */
  public static Moment of(long nowMillis, ReadStats reads, MoveStats moves, long fastBytes) {
    return new Moment(
        nowMillis,
        reads.memoryReads(),
        reads.fastReads.sum(),
        reads.slowReads.sum(),
        fastBytes,
        moves.promotedRows.getCount(),
        moves.demotedRows.getCount());
  }
}
