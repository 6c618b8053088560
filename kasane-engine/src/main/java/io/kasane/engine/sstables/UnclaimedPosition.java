/* SPDX-License-Identifier: Apache-2.0 */
package io.kasane.engine.sstables;

import org.apache.cassandra.db.commitlog.CommitLogPosition;

/**
 * Commit log positions below every real one, which SSTables of tables on an engine claim.
 *
 * <p>A real interval would be wrong: replay trusts the first interval that it knows of a table to
 * have nothing before it, and what came before may still be on its way into the engine. That
 * nothing is claimed costs replay of what the oldest segment has of the table; entries only merge.
 */
public final class UnclaimedPosition {
  public static final CommitLogPosition UNCLAIMED = new CommitLogPosition(0, 1);

  private UnclaimedPosition() {}
}
