/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.io.sstable.metadata.StatsMetadata;

/**
 * Commit log positions below every real one, which SSTables of tables on an engine claim.
 *
 * <p>A real interval would be wrong: replay trusts the first interval that it knows of a table to
 * have nothing before it, and what came before may still be on its way into the engine. That
 * nothing is claimed costs replay of what the oldest segment has of the table; entries only merge.
 */
public final class LogPositions {
  public static final CommitLogPosition UNCLAIMED = new CommitLogPosition(0, 1);

  /** What validation and outgoing streams write, and Cassandra leaves on the disk. */
  public static final CommitLogPosition LEFT_OVER = new CommitLogPosition(0, 0x4B41);

  private LogPositions() {}

  /** Whether an SSTable was written to be validated or streamed, and is of no further use. */
  public static boolean isLeftOver(StatsMetadata stats) {
    return stats.commitLogIntervals.contains(LEFT_OVER);
  }
}
